package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// classFlags are what `generate class` is told.
type classFlags struct {
	courseFlags
	ids           []string
	out, feedback string
	optional      float64
}

// ask returns an error for arguments that do not go together.
func (f *classFlags) ask(cmd *cobra.Command, args []string) error {
	flags := cmd.Flags()
	switch {
	case f.feedback != "" && (len(args) > 0 || flags.Changed("exercises") || flags.Changed("optional") || f.nbgrader):
		return errors.New("--feedback takes the folder of grades and --out, nothing else: the class is there already")
	case f.feedback != "":
		return nil
	case len(args) == 0:
		return errors.New("class needs the roster: name its file")
	case len(f.ids) == 0:
		return errors.New("class needs exercises: name them with --exercises, such as prml-4.25")
	case !(f.optional >= 0 && f.optional <= 1):
		return fmt.Errorf("--optional takes a number from 0 to 1; found %g", f.optional)
	}
	return f.courseFlags.ask(cmd)
}

// count lets the optional parts of the exercises count, if that was asked for.
func (f *classFlags) count(cmd *cobra.Command, course *class.Course, assigned []class.Assigned) {
	if !cmd.Flags().Changed("optional") {
		return
	}
	for i := range course.Exercises {
		for _, a := range assigned {
			if a.ID == course.Exercises[i].ID {
				course.Exercises[i].Optional = f.optional
			}
		}
	}
}

// layShared writes what of a course folder of nbgrader is the same for all learners. A
// class that has become one stays one.
func (f *classFlags) layShared(cmd *cobra.Command, course *class.Course) error {
	if !f.nbgrader {
		f.assignment = course.Assignment
	}
	if course.Assignment != "" && course.Assignment != f.assignment {
		return fmt.Errorf("--assignment %s: the class has the assignment %s; make another class for another one", f.assignment, course.Assignment)
	}
	course.Assignment = f.assignment
	list, err := variants(course, class.Learner{})
	if err != nil {
		return err
	}
	tree, err := courseTree(f.assignment, exercise.Variant{}, list)
	if err != nil {
		return err
	}
	if _, err := layOnce(cmd, f.out, tree); err != nil {
		return err
	}
	return course.WriteStudents(f.out)
}

// handOut puts the pages of feedback into the release, each into its learner's folder.
func (f *classFlags) handOut(cmd *cobra.Command) error {
	course, err := class.Open(f.out)
	if err != nil {
		return err
	}
	without, err := course.HandOut(f.feedback, f.out)
	if err != nil {
		return err
	}
	for _, id := range without {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: there is no page of feedback\n", id)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d pages of feedback in %s\n", len(course.Learners)-len(without), filepath.Join(f.out, class.Release))
	return err
}
