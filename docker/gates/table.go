package main

import (
	"slices"
	"strings"
	"time"
)

// levels lists the levels, which are sets of gates. Each level has a make target.
var levels = []string{"quick", "check", "test", "image", "all"}

// A gate tests one property of the project.
type gate struct {
	name   string
	levels string        // names of the levels that include the gate, separated by spaces
	needs  []string      // programs that must be installed for the gate
	budget time.Duration // generous expected time; a gate that takes longer is reported, but does not fail
	proves string
	run    func(*session) error
}

func (g gate) at(level string) bool { return slices.Contains(strings.Fields(g.levels), level) }

// gates lists the gates in the order in which they run. Most fast gates come first, and a gate comes
// before every gate that uses its results. If a gate of the level `test` checks only a sample, the
// level `all` contains a gate that checks everything.
var gates []gate

func init() {
	s := func(n int) time.Duration { return time.Duration(n) * time.Second }
	gates = []gate{
		{"quick", "quick", nil, s(60), "format, go.mod, language and notebooks; vet and the short tests of changed packages", quickChecks},

		{"gofmt", "check test all", nil, s(5), "every Go file is formatted by gofmt -s", gofmt},
		{"vet", "check test all", nil, s(60), "go vet", vet},
		{"staticcheck", "check test all", []string{"staticcheck"}, s(90), "staticcheck", staticcheck},
		{"language", "check test all", nil, s(15), "comments, messages and documents are plain English, and names are not vague", checkLanguage},
		{"actionlint", "check test all", []string{"actionlint"}, s(10),
			"the workflows are valid, and their commands are make targets", actionlint},
		{"tidy", "test all", nil, s(30),
			"go.mod and go.sum of every module are tidy: they list exactly what the module needs", tidy},
		{"sources", "check test all", nil, s(5), "the notebooks are equal to what generate makes from their sources", sources},
		{"figures", "check test all", nil, s(20), "every figure has the bytes that the manifest records", figures},
		{"unit", "check test all", nil, s(240), "the tests pass in all packages except the exercises' and lessons' packages, generate/course and docker/gates", unitTests},
		{"exercises", "check", nil, s(120), "the exercises' own tests pass, and judge every recorded answer once", exercises},
		{"kernel", "check", []string{"gonb"}, s(60), "two notebooks, run by the kernel, produce the committed outputs",
			kernel},
		{"red", "test all", []string{"staticcheck"}, s(60), "gates fail for examples of the faults that they should detect", red},
		{"command", "test all", []string{"gonb", "bwrap"}, s(300), "the generate command works from end to end", commandTests},
		{"judge", "test all", nil, s(300), "recorded answers and mutants get the right verdicts", judgeAnswers},
		{"variants", "test", nil, s(60), "right answers, called over a connection, pass with the constants of another seed",
			variants},
		{"variants-all", "all", nil, s(600),
			"all recorded answers, called over a connection, get the right verdicts for five other seeds", variantsAll},
		{"wasm", "test", []string{"node"}, s(200),
			"every reference answer and a sample of other answers get the same verdicts under js/wasm as natively", wasm},
		{"wasm-all", "all", []string{"node"}, s(400), "all recorded answers get the same verdicts under js/wasm as natively",
			wasmAll},
		{"kernels", "test all", nil, s(90),
			"the models' tests pass with the vector kernels that are not selected on this processor", kernelTests},
		{"vet-386", "all", nil, s(120), "the toolkit and its tests pass vet where an int has 32 bits", vet386},
		{"race", "test all", []string{"gcc"}, s(180), "concurrent code passes under the race detector", raceTests},
		{"class", "test", []string{"bwrap"}, s(240),
			"hostile submissions get the right grades, even if grading is killed and resumed, or split into shards", class},
		{"class-all", "all", []string{"bwrap"}, s(480), "like the gate “class”, but with submissions for every exercise", classAll},
		{"lessons", "test all", []string{"gonb"}, s(240), "the notebooks in notebooks/ and notebooks/lessons/, run by the kernel, produce the committed outputs",
			lessons},
		{"notebooks", "test", []string{"gonb"}, s(120),
			"the kernel runs all solved notebooks, and they pass", runSolved},
		{"notebooks-all", "all", []string{"gonb"}, s(360), "the kernel runs all solved notebooks, and they pass; no untouched notebook passes",
			notebooksAll},
		{"site", "test all", nil, s(240), "the site builds with its compiler, and its links, formulas and charts are complete", buildSite},
		{"readme", "test all", nil, s(120), "the generate commands in the README run without an error", runReadme},
		{"page", "test", []string{"node"}, s(240),
			"the pages judge six exercises and faulty answers correctly, in Chromium and Firefox", page},
		{"page-all", "all", []string{"node"}, s(900), "the pages judge all exercises correctly", pageAll},
		{"install", "all", []string{"git", "bwrap"}, s(600),
			"go install with a version installs the command, which works in an empty folder; another module can use the toolkit",
			installGate},
		{"modules", "all", nil, s(600), "the nested modules that have tests pass vet, staticcheck and these tests",
			nestedModules},
		{"fuzz", "all", nil, s(1200), "every fuzz target runs for a short time without a failure", fuzz},

		{"image", "image", nil, s(600), "the image builds and passes its tests", image},
		{"browser", "image", nil, s(600), "notebooks work in JupyterLab and the classic Notebook, and the site works, all in Chromium",
			browserTests},
		{"hub", "image", []string{"jupyterhub", "configurable-http-proxy"}, s(60), "a learner can work on a JupyterHub", hub},
		{"slurm", "image", []string{"sbatch", "munged", "slurmctld"}, s(120), "a Slurm array grades a class", slurm},
	}
}
