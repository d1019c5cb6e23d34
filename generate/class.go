package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbgrader"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// newClassCmd is `generate class`: personal notebooks for everybody on a roster.
func newClassCmd() *cobra.Command {
	var f classFlags
	cmd := &cobra.Command{
		Use:   "class ROSTER.csv | class --feedback GRADES",
		Short: "make a class: a personal variant of exercises for every learner",
		Long: `class makes notebooks for everybody on a roster, a file of comma-separated values
whose first line names the columns id, name and, if you like, email and due. The id is
who a learner is, and the name of the learner's folder. In the folder --out then lie

  release/ID/EXERCISE.ipynb   for the learner: a variant of their own
  key/ID/EXERCISE.ipynb       for you: the same, solved
  class.json, secret          for you: what was given to whom, and what the variants
                              are drawn from. Keep both: grades are made by them.

Run it again with a longer roster or more exercises: they are added, and everything
that is there stays. A notebook in release that was edited is never overwritten: a new
version comes beside it.

An exercise gives one point for its compulsory parts; ID=2 makes it two. Its optional
parts count nothing; with --optional 0.5 each counts as half a compulsory one, in all
exercises that this command names.

With --feedback and the folder that generate grade made, every learner's page goes into
release/ID/feedback.html, and nobody else's. A learner may then hand in again.

With --nbgrader the folder is one of nbgrader too: nbgrader_config.py, students.csv (for
nbgrader db student import), and source/ASSIGNMENT with the exercises. nbgrader has one
source for all learners, so that is the common variant; each learner's own lies in
release/ID/ASSIGNMENT. Hand these out, collect with nbgrader, and grade what it has
collected with generate grade, which knows the variants; nbgrader autograde would judge all
by the common one. grades-nbgrader.csv are then the grades as nbgrader exports them.

` + exitHelp,
		Example: `  go run ./generate class roster.csv --exercises prml-4.25,prml-4.8=2 --out course
  go run ./generate class roster.csv --exercises prml-4.25 --nbgrader --assignment week-1 --out course
  go run ./generate class --feedback grades --out course`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.ask(cmd, args); err != nil {
				return err
			}
			if f.feedback != "" {
				return f.handOut(cmd)
			}
			assigned, err := assignments(f.ids)
			if err != nil {
				return err
			}
			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			roster, err := class.ReadRoster(args[0], text)
			if err != nil {
				return err
			}
			course, err := class.Enrol(f.out, toolkit.Version, roster, assigned)
			if err != nil {
				return err
			}
			f.count(cmd, course, assigned)
			if f.nbgrader || course.Assignment != "" {
				if err := f.layShared(cmd, course); err != nil {
					return err
				}
			}
			// The course first: what lies in release is always in it.
			if err := course.Save(f.out); err != nil {
				return err
			}
			for _, l := range course.Learners {
				if err := layRelease(cmd, f.out, course, l); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d learners, %d exercises in %s; hand out release, keep the rest\n", len(course.Learners), len(course.Exercises), f.out)
			return err
		},
	}
	cmd.Flags().StringSliceVar(&f.ids, "exercises", nil, "the exercises, each with =WEIGHT if it does not give one point")
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the class")
	cmd.Flags().Float64Var(&f.optional, "optional", 0, "how much of a compulsory part an optional one counts, 0 to 1")
	cmd.Flags().StringVar(&f.feedback, "feedback", "", "folder of grades: put each learner's page into their release")
	f.courseFlags.add(cmd)
	_ = cmd.MarkFlagRequired("out") // an error only for a flag that there is not
	return cmd
}

// assignments reads exercises with their weights: "prml-4.25", "prml-4.8=2".
func assignments(ids []string) ([]class.Assigned, error) {
	var list []class.Assigned
	var known []string
	for _, e := range catalog.Entries {
		if !e.Exercise.OfLesson() {
			known = append(known, e.Exercise.ID)
		}
	}
	for _, text := range ids {
		id, number, weighted := strings.Cut(strings.TrimSpace(text), "=")
		a := class.Assigned{ID: id, Weight: 1}
		if !slices.Contains(known, id) {
			return nil, nearest("exercise", id, known)
		}
		if weighted {
			w, err := strconv.ParseFloat(number, 64)
			if err != nil || !(w > 0 && w <= 1000) {
				return nil, fmt.Errorf("--exercises: the weight %q of %s is none: a number above 0, at most 1000", number, id)
			}
			a.Weight = w
		}
		if slices.ContainsFunc(list, func(b class.Assigned) bool { return b.ID == id }) {
			return nil, fmt.Errorf("--exercises names %s twice", id)
		}
		list = append(list, a)
	}
	return list, nil
}

// variants are the exercises of a course as a learner has them.
func variants(course *class.Course, l class.Learner) ([]*exercise.Exercise, error) {
	_, module, err := module()
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(course.Exercises))
	for i, e := range course.Exercises {
		ids[i] = e.ID
	}
	return catalog.Variants(module, exercise.Variant{Seed: l.Seed, For: l.Name}, ids...)
}

// layRelease lays a learner's notebooks and their key.
func layRelease(cmd *cobra.Command, dir string, course *class.Course, l class.Learner) error {
	list, err := variants(course, l)
	if err != nil {
		return err
	}
	release, key := files.Tree{}, files.Tree{}
	for _, e := range list {
		learner, solved, err := renderExercises([]*exercise.Exercise{e})
		if err != nil {
			return err
		}
		name := e.ID + ".ipynb"
		if course.Assignment != "" {
			name = path.Join(course.Assignment, nbgrader.Notebook(e.ID))
		}
		release[name] = learner[e.LearnerPath()]
		key[path.Join(l.ID, e.ID+".ipynb")] = solved[e.SolvedPath()]
	}
	if _, err := key.Write(cmd.Context(), filepath.Join(dir, class.Key)); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: ", l.ID)
	return layWork(cmd, filepath.Join(dir, class.Release, l.ID), release)
}
