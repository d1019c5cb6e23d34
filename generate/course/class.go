package course

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbgrader"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// newClassCmd returns the command `generate class`, which makes personal notebooks for all learners
// on a roster.
func newClassCmd() *cobra.Command {
	var f classFlags
	cmd := &cobra.Command{
		Use:   "class ROSTER.csv | class --feedback GRADES",
		Short: "make a class: a personal variant of exercises for every learner",
		Long: `This command makes notebooks for each learner on a roster. The roster is a file of
comma-separated values. Its first line names the columns: id, name and, optionally, email and
due. The id identifies the learner and names the learner's folder. Afterwards the folder
--out contains

  release/ID/EXERCISE.ipynb   for the learner: their personal variant
  key/ID/EXERCISE.ipynb       for you: the same notebook, solved
  class.json, secret          for you: who received what, and the secret from which
                              the variants are drawn. Keep both: the command grade
                              needs class.json, and this command needs both files
                              when you run it again.

To add learners or exercises, run the command again with a longer roster or more
exercises. The command keeps everything else. It never overwrites an edited notebook in
release, but writes the new version beside the edited notebook.

An exercise is worth one point, or two points if you write ID=2 in --exercises. Only its
compulsory parts count. With --optional 0.5 each optional part also counts, half as much as
a compulsory part, in all exercises that you name with --exercises.

With --feedback and the folder that grade wrote, the command copies each
learner's page to release/ID/feedback.html. The learner may then submit again.

With --nbgrader the folder is also a course folder of nbgrader. It then also contains
nbgrader_config.py, students.csv (for nbgrader db student import), and the exercises in
source/ASSIGNMENT. nbgrader has one source for all learners, so the folder source contains
the common variant of each exercise, which is the exercise without personal changes. The
personal variants are in release/ID/ASSIGNMENT. Hand out these notebooks, and collect them
with nbgrader. Grade the collected notebooks with the command grade, which knows the
variants; nbgrader autograde would judge all learners by the common variant. The command
grade writes grades-nbgrader.csv in the format of nbgrader's export.

` + exitHelp,
		Example: `  go run ./generate class roster.csv --exercises {id},{other}=2 --out course
  go run ./generate class roster.csv --exercises {id} --nbgrader --assignment week-1 --out course
  go run ./generate class --feedback grades --out course`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.checkArgs(cmd, args); err != nil {
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
			f.setOptionalWeight(cmd, course, assigned)
			if f.nbgrader || course.Assignment != "" {
				if err := f.writeNbgraderCourse(cmd, course); err != nil {
					return err
				}
			}
			// Save the file class.json before the learners' notebooks are written. If writing stops
			// early, class.json then still names every learner who already has notebooks.
			if err := course.Save(f.out); err != nil {
				return err
			}
			for _, l := range course.Learners {
				if err := writeRelease(cmd, f.out, course, l); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(),
				"%d learners, %d exercises in %s; give each learner the folder release/ID, and nothing else\n",
				len(course.Learners), len(course.Exercises), f.out)
			return err
		},
	}
	cmd.Flags().StringSliceVar(&f.ids, "exercises", nil,
		"ids of the exercises; write ID=WEIGHT if an exercise is worth more or less than one point")
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the class")
	cmd.Flags().Float64Var(&f.optional, "optional", 0, "weight of an optional part, 0 to 1; a compulsory part has weight 1")
	cmd.Flags().StringVar(&f.feedback, "feedback", "",
		"copy the feedback pages from this folder, which grade wrote, to the learners' folders")
	f.courseFlags.add(cmd)
	_ = cmd.MarkFlagRequired("out") // the error is nil, because the command defines the flag --out
	return cmd
}

// assignments parses the ids of exercises, each with an optional weight, such as "prml-4.25" or
// "prml-4.8=2". Without a weight, an exercise has the weight 1.
func assignments(ids []string) ([]class.Assigned, error) {
	var list []class.Assigned
	var known, tasks []string
	for _, e := range current.Entries {
		if e.OfLesson() {
			tasks = append(tasks, e.ID)
		} else {
			known = append(known, e.ID)
		}
	}
	for _, text := range ids {
		id, number, weighted := strings.Cut(strings.TrimSpace(text), "=")
		a := class.Assigned{ID: id, Weight: 1}
		if slices.Contains(tasks, id) {
			return nil, fmt.Errorf("invalid exercise %q: it is the task of a lesson, and a class is graded only on exercises; "+
				"want one of %s", id, strings.Join(known, ", "))
		}
		if !slices.Contains(known, id) {
			return nil, content.Unknown("exercise", id, known)
		}
		if weighted {
			w, err := strconv.ParseFloat(number, 64)
			if err != nil || !(w > 0 && w <= 1000) {
				return nil, fmt.Errorf("--exercises: invalid weight %q for %s: want a number above 0, at most 1000",
					number, id)
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

// learnerExercises returns the exercises of the class, each in the personal variant of learner l.
func learnerExercises(course *class.Course, l class.Learner) ([]*exercise.Exercise, error) {
	_, module, err := openModule()
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(course.Exercises))
	for i, e := range course.Exercises {
		ids[i] = e.ID
	}
	return current.Variants(module, exercise.Variant{Seed: l.Seed, For: l.Name}, ids...)
}

// writeRelease writes the notebooks of learner l to the folder "release" of the class. It writes the
// solved notebooks to the folder "key".
func writeRelease(cmd *cobra.Command, dir string, course *class.Course, l class.Learner) error {
	list, err := learnerExercises(course, l)
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
	return writeLearnerCopies(cmd, filepath.Join(dir, class.Release, l.ID), release)
}

// classFlags contains the values of the flags of `generate class`.
type classFlags struct {
	courseFlags
	ids           []string
	out, feedback string
	optional      float64
}

// checkArgs returns an error if the arguments are missing, invalid or incompatible.
func (f *classFlags) checkArgs(cmd *cobra.Command, args []string) error {
	flags := cmd.Flags()
	switch {
	case f.feedback != "" && (len(args) > 0 || flags.Changed("exercises") || flags.Changed("optional") || f.nbgrader):
		return errors.New("with --feedback, give only the folder of grades and --out, because the class already exists")
	case f.feedback != "":
		return nil
	case len(args) == 0:
		return errors.New("class needs the file name of the roster")
	case len(f.ids) == 0:
		id, _, _ := examples()
		return errors.New("class needs --exercises, such as --exercises " + id)
	case !(f.optional >= 0 && f.optional <= 1):
		return fmt.Errorf("invalid --optional %g: want a number from 0 to 1", f.optional)
	}
	return f.courseFlags.checkArgs(cmd)
}

// setOptionalWeight sets the weight of the optional parts in the assigned exercises to the value of
// the flag --optional. If the user did not give the flag, the weights stay as they are.
func (f *classFlags) setOptionalWeight(cmd *cobra.Command, course *class.Course, assigned []class.Assigned) {
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

// writeNbgraderCourse writes the files of an nbgrader course folder that are the same for all learners. A
// class has only one assignment. Therefore writeNbgraderCourse returns an error if the name in --assignment
// differs from the name that an earlier run has set.
func (f *classFlags) writeNbgraderCourse(cmd *cobra.Command, course *class.Course) error {
	if !f.nbgrader {
		f.assignment = course.Assignment
	}
	if course.Assignment != "" && course.Assignment != f.assignment {
		return fmt.Errorf("--assignment %s: the class has assignment %s; make a new class for a new assignment",
			f.assignment, course.Assignment)
	}
	course.Assignment = f.assignment
	list, err := learnerExercises(course, class.Learner{})
	if err != nil {
		return err
	}
	tree, err := courseTree(f.assignment, exercise.Variant{}, list)
	if err != nil {
		return err
	}
	if _, err := writeUnlessDifferent(cmd, f.out, tree); err != nil {
		return err
	}
	return course.WriteStudents(f.out)
}

// handOut copies each feedback page into the learner's folder, which is in the folder "release" of the
// class. It prints the ids of the learners without a feedback page.
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
		fmt.Fprintf(cmd.OutOrStdout(), "%s: no feedback page\n", id)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d feedback pages in %s\n", len(course.Learners)-len(without),
		filepath.Join(f.out, class.Release))
	return err
}
