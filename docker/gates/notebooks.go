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

// This file contains the gates that test notebooks and figures.

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

// sameNotebook prints the differences and returns an error if the two notebooks differ in anything
// except the order of texts and displays (see textsFirst).
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

// textsFirst moves the printed texts of each cell before the displays of the cell, and returns the
// changed notebook for a comparison. GoNB reads texts and displays from two pipes, so a text that a
// program prints just before a display sometimes comes after the display. The order of texts and
// displays therefore says nothing about the code of the cell.
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
			lines, isList := output["text"].([]any)
			if output["output_type"] != "stream" || !isList {
				displays = append(displays, o)
				continue
			}
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
