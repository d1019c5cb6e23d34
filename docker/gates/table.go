package main

import (
	"slices"
	"strings"
	"time"
)

// levels lists the sets of gates; each set has a make target.
var levels = []string{"quick", "check", "test", "image", "all"}

// A gate tests one property of the project.
type gate struct {
	name   string
	levels string   // the levels that include the gate, separated by spaces
	needs  []string // programs that the gate runs
	budget time.Duration
	proves string
	run    func(*session) error
}

func (g gate) at(level string) bool { return slices.Contains(strings.Fields(g.levels), level) }

// gates lists the gates in the order in which they run. Fast gates come first, and so do gates on
// whose results others rely. A gate of level test that uses only a sample has a counterpart of
// level all without this restriction.
var gates []gate

func init() {
	s := func(n int) time.Duration { return time.Duration(n) * time.Second }
	gates = []gate{
		{"quick", "quick", nil, s(60), "format, vet, go.mod and the short tests of what has changed", quick},

		{"gofmt", "check test all", nil, s(5), "every file is formatted", gofmt},
		{"vet", "check test all", nil, s(60), "go vet", vet},
		{"staticcheck", "check test all", []string{"staticcheck"}, s(90), "staticcheck", staticcheck},
		{"language", "check test all", nil, s(15), "comments, messages and documents are plain English", language},
		{"actionlint", "check test all", []string{"actionlint"}, s(10),
			"the workflows are valid, and their commands are make targets", actionlint},
		{"tidy", "test all", nil, s(30),
			"go.mod and go.sum of every module list exactly the modules that its imports need", tidy},
		{"sources", "check test all", nil, s(5), "the notebooks are made from their sources", sources},
		{"figures", "check test all", nil, s(20), "every figure has the bytes that the manifest records", figures},
		{"unit", "check test all", nil, s(240), "the tests of all packages without a gate of their own", unit},
		{"exercises", "check", nil, s(120), "the exercises' own tests: every recorded answer once", exercises},
		{"kernel", "check", []string{"gonb"}, s(60), "two notebooks produce the committed outputs through the kernel",
			kernel},
		{"red", "test all", []string{"staticcheck"}, s(60), "each gate fails on a fault that it should detect", red},
		{"command", "test all", []string{"gonb", "bwrap"}, s(300), "the generate command from end to end", command},
		{"judge", "test all", nil, s(300), "recorded answers and mutants get the right verdicts", judge},
		{"variants", "test", nil, s(60), "right answers under another seed, called over a connection",
			variants},
		{"variants-all", "all", nil, s(600),
			"all recorded answers under seeds 1 to 4 and 7, called over a connection", variantsAll},
		{"wasm", "test", []string{"node"}, s(200),
			"every reference answer and a sample get the same verdicts under js/wasm", wasm},
		{"wasm-all", "all", []string{"node"}, s(400), "all recorded answers get the same verdicts under js/wasm",
			wasmAll},
		{"kernels", "test all", nil, s(90),
			"the versions of the vector kernels that this processor does not select", kernels},
		{"vet-386", "all", nil, s(120), "the toolkit and its tests build where an int has 32 bits", vet386},
		{"race", "test all", []string{"gcc"}, s(180), "concurrent code, under the race detector", race},
		{"class", "test", []string{"bwrap"}, s(240),
			"hostile submissions get the right grades, also after a kill and resume, and in shards", class},
		{"class-all", "all", []string{"bwrap"}, s(480), "the same, and every exercise graded", classAll},
		{"lessons", "test all", []string{"gonb"}, s(240), "tour, map and lessons produce the committed outputs",
			lessons},
		{"notebooks", "test", []string{"gonb"}, s(60),
			"four solved notebooks through the kernel (two untouched ones: command)", notebooks},
		{"notebooks-all", "all", []string{"gonb"}, s(360), "all solved and all untouched notebooks through the kernel",
			notebooksAll},
		{"site", "test all", nil, s(240), "the site with its compiler: links, formulas, charts", site},
		{"readme", "test all", nil, s(120), "the README's commands", readme},
		{"page", "test", []string{"node"}, s(240),
			"six exercises and the faults of answers in the pages, in Chromium and Firefox", page},
		{"page-all", "all", []string{"node"}, s(900), "all exercises in the pages", pageAll},
		{"install", "all", []string{"git", "bwrap"}, s(600),
			"the command installed by version in an empty folder, and a program outside that uses the toolkit",
			install},
		{"modules", "all", nil, s(600), "the nested modules, which use dependencies that the toolkit must not have",
			modules},
		{"fuzz", "all", nil, s(1200), "every fuzz target for a short while", fuzz},

		{"image", "image", nil, s(600), "the image builds and passes its tests", image},
		{"browser", "image", nil, s(600), "notebooks in JupyterLab and the classic Notebook, and the site, in Chromium",
			browser},
		{"hub", "image", []string{"jupyterhub", "configurable-http-proxy"}, s(60), "a learner at a hub", hub},
		{"slurm", "image", []string{"sbatch", "munged", "slurmctld"}, s(120), "a class graded by a Slurm array", slurm},
	}
}
