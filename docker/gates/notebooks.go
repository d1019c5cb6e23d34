package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file contains the gates that test notebooks, figures and the site.

func sources(s *session) error { return s.runCommand(s.generate, "notebooks", "--check") }

func figures(s *session) error { return s.compareFigures("toolkit/figures/testdata/manifest.json") }

// compareFigures draws figures again and compares them with a manifest. Without ids it draws all
// figures.
func (s *session) compareFigures(manifest string, ids ...string) error {
	err := s.runCommand(s.generate, append([]string{"figures", "--check", manifest}, ids...)...)
	if err != nil {
		err = fmt.Errorf("%w; if the new figures are right, run make manifest", err)
	}
	return err
}

// rerunNotebooks runs the notebooks and compares their outputs with the committed outputs.
func (s *session) rerunNotebooks(paths ...string) error {
	out := filepath.Join(s.scratch, "again")
	if err := s.runCommand(s.generate, append(append([]string{"run"}, paths...), "--out", out, "--brief")...); err != nil {
		return err
	}
	var err error
	for _, path := range paths {
		rel, e := filepath.Rel("notebooks", path)
		err = errors.Join(err, e, s.sameNotebook(filepath.Join(s.dir, path), filepath.Join(out, rel)))
	}
	return err
}

// sameNotebook returns an error if the two notebooks differ (see textsFirst).
func (s *session) sameNotebook(committed, fresh string) error {
	want, err := os.ReadFile(committed)
	if err != nil {
		return err
	}
	got, err := os.ReadFile(fresh)
	if err != nil {
		return err
	}
	wantOutputs, wantErr := textsFirst(want)
	gotOutputs, gotErr := textsFirst(got)
	if wantErr == nil && gotErr == nil && wantOutputs == gotOutputs {
		return nil
	}
	diff, _ := s.commandOutput("diff", "-u", committed, fresh) // an exit status of 1 only means that the files differ
	for i, line := range strings.Split(diff, "\n") {
		if i < 40 {
			fmt.Fprintf(s.w, "%.200s\n", line)
		}
	}
	return fmt.Errorf("%s does not contain the outputs of a fresh run: run make notebooks", committed)
}

// textsFirst returns the notebook with the printed texts of each cell before its displays. GoNB reads
// texts and displays from two pipes: a text that a program prints just before a display sometimes
// comes after it. This order says nothing about the code of the cell.
func textsFirst(notebook []byte) (string, error) {
	var nb map[string]any
	if err := json.Unmarshal(notebook, &nb); err != nil {
		return "", err
	}
	cells, _ := nb["cells"].([]any)
	for _, c := range cells {
		cell, _ := c.(map[string]any)
		outputs, _ := cell["outputs"].([]any)
		texts, displays := map[string]string{}, []any{}
		for _, o := range outputs {
			output, _ := o.(map[string]any)
			if output["output_type"] != "stream" {
				displays = append(displays, o)
				continue
			}
			lines, _ := output["text"].([]any)
			for _, line := range lines {
				texts[fmt.Sprint(output["name"])] += fmt.Sprint(line)
			}
		}
		if outputs != nil {
			cell["outputs"] = []any{texts, displays}
		}
	}
	text, err := json.Marshal(nb)
	return string(text), err
}

// notebookGlob lists the notebooks that match the patterns. The paths are relative to the project's
// folder. It returns an error if a pattern matches no notebook.
func (s *session) notebookGlob(patterns ...string) (list []string, err error) {
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(s.dir, p))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no notebook matches %s", p)
		}
		for _, f := range found {
			rel, err := filepath.Rel(s.dir, f)
			if err != nil {
				return nil, err
			}
			list = append(list, rel)
		}
	}
	slices.Sort(list)
	return list, nil
}

func (s *session) rerunMatching(patterns ...string) error {
	list, err := s.notebookGlob(patterns...)
	if err != nil {
		return err
	}
	return s.rerunNotebooks(list...)
}

func kernel(s *session) error {
	return s.rerunMatching("notebooks/tour.ipynb", "notebooks/lessons/02-*.ipynb")
}

func lessons(s *session) error {
	return s.rerunMatching("notebooks/*.ipynb", "notebooks/lessons/*.ipynb")
}

// runSolved runs all solved exercises through the kernel. Only this gate runs the cells of the
// Explore sections: the gate `judge` checks only the answers, and TestEveryNotebookCompiles only
// compiles the code.
func runSolved(s *session) error {
	return s.runCommand(s.generate, "run", "notebooks/exercises/solutions", "--brief")
}

func notebooksAll(s *session) error { return errors.Join(runSolved(s), s.runUntouched()) }

// runUntouched runs every notebook for learners in its original state. It returns an error if a
// part of an exercise counts as attempted, if a notebook passes, or if a cell without a check ends
// in an error.
func (s *session) runUntouched() error {
	list, err := s.notebookGlob("notebooks/exercises/*/*.ipynb")
	if err != nil {
		return err
	}
	text, err := s.commandOutput(s.generate, append([]string{"run", "--json"}, list...)...)
	if err == nil {
		return errors.New("“generate run” exits with status 0 for the untouched notebooks, want 1")
	}
	return errors.Join(checkValues(text, "outcome", "NotAttempted"), checkValues(text, "verdict", "NotPassed", "OK"))
}

// checkValues returns an error unless the named field occurs in the JSON text with all of the
// values in `want` and with no other values.
func checkValues(text, field string, want ...string) error {
	var found []string
	for _, m := range regexp.MustCompile(`"`+field+`": "(\w*)"`).FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	slices.Sort(found)
	if found = slices.Compact(found); !slices.Equal(found, want) {
		return fmt.Errorf("in the untouched notebooks, the field %[2]q has the values %[1]q, want %[3]q", found, field, want)
	}
	return nil
}

// buildSite builds the site together with the Go compiler for its pages. The build fails unless
// every link within the site has a target, every formula is typeset, and no page loads anything from
// another host. buildSite also returns an error if the page of the tour has no interactive chart.
func buildSite(s *session) error {
	if err := s.runCommand("docker/demo.sh", "some"); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "out", "site", "tour.html"))
	if err == nil &&
		!(strings.Contains(string(text), `class="hyperplane-chart"`) &&
			regexp.MustCompile(`assets/charts/.*\.js`).Match(text)) {
		err = errors.New("the site's page of the tour has no interactive chart")
	}
	return err
}

// The gate `page` tests the exercise pages, which compile answers in the browser. The pages must
// judge answers correctly in Chromium and Firefox.
func page(s *session) error    { return s.page() }
func pageAll(s *session) error { return s.page("HYPERPLANE_PLAY_ALL=1") }

func (s *session) page(env ...string) error {
	if _, err := os.Stat(filepath.Join(s.dir, "out", "site", "assets", "play", "play.json")); err != nil {
		if err := buildSite(s); err != nil {
			return err
		}
	}
	env = append(env, "HYPERPLANE_PLAY_SITE="+filepath.Join(s.dir, "out", "site"),
		"HYPERPLANE_PLAY_CACHE="+filepath.Join(s.dir, ".tools", "reuse"),
		"HYPERPLANE_SCREENSHOTS="+filepath.Join(s.dir, "out", "page-shots"))
	return s.goTest(env, "-tags=playtest", "-count=1", "-timeout=40m", "./generate/internal/play")
}

var readmeCommand = regexp.MustCompile(`(?m)^go run \./generate ([^#\n]*)`)

// runReadme runs the commands of the README that begin with `go run ./generate`. In these commands
// it replaces the folders out/ and work/ by temporary folders.
func runReadme(s *session) error {
	text, err := os.ReadFile(filepath.Join(s.dir, "README.md"))
	if err != nil {
		return err
	}
	commands := readmeCommand.FindAllStringSubmatch(string(text), -1)
	if len(commands) == 0 {
		return errors.New("the README contains no line that begins with go run ./generate")
	}
	work := filepath.Join(s.scratch, "work") + "/"
	if _, err := s.commandOutput(s.generate, "notebooks", "--work", work); err != nil {
		return err
	}
	for path, text := range map[string]string{work + "roster.csv": "id,name\nada,Ada Lovelace\n",
		work + "answer.go": "func LambdaSquared() float64 { return math.Pi / 8 }\n"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	for _, m := range commands {
		args := strings.Fields(m[1])
		for i, a := range args {
			if strings.HasPrefix(a, "out/") || strings.HasPrefix(a, "work/") {
				args[i] = filepath.Join(s.scratch, a)
			}
		}
		switch args[0] {
		case "grade":
			if e := os.CopyFS(filepath.Join(work, "hand-ins"),
				os.DirFS(filepath.Join(work, "course", "release"))); e != nil {
				return e
			}
		case "site": // reuse the Go compiler that the gate `site` has already built
			args = append(args, "--reuse", filepath.Join(s.dir, ".tools", "reuse"))
		}
		printed, e := s.commandOutput(s.generate, args...)
		// `generate run` exits with 1, because nobody has solved the learner's notebook
		if exit := exitCode(e); e != nil && !(args[0] == "run" && exit == 1) {
			err = errors.Join(err, fmt.Errorf("%s: %w\n%s", m[0], e, printed))
		}
	}
	fmt.Fprintf(s.w, "ran %d commands of the README\n", len(commands))
	return err
}
