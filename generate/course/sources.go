package course

import (
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// notebookDir is the folder of the module with the committed notebooks. exerciseDir is the folder
// in notebookDir with the notebooks of exercises.
const (
	notebookDir = "notebooks"
	exerciseDir = "exercises"
)

// openModule returns the folder of the course's module, and a file system with the files of the module.
func openModule() (root string, files fs.FS, err error) {
	if root, err = cell.FindRoot("."); err != nil {
		return "", nil, err
	}
	return root, os.DirFS(root), nil
}

// renderExercises makes the learner's notebook and the solved notebook of each exercise, but not of
// the tasks of lessons. It writes no files.
func renderExercises(list []*exercise.Exercise) (learner, solved files.Tree, err error) {
	learner, solved = files.Tree{}, files.Tree{}
	for _, e := range list {
		if e.OfLesson() {
			continue
		}
		for _, kind := range []struct {
			make func() (*nbformat.Notebook, error)
			tree files.Tree
			path string
		}{{e.Learner, learner, e.LearnerPath()}, {e.Solved, solved, e.SolvedPath()}} {
			nb, err := kind.make()
			if err != nil {
				return nil, nil, err
			}
			if kind.tree[kind.path], err = nb.Marshal(); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", e.Dir, err)
			}
		}
	}
	return learner, solved, nil
}

func renderLessons(course *lesson.Course) (files.Tree, error) {
	tree := files.Tree{}
	for _, l := range course.Lessons {
		nb, err := l.Notebook(course, current.Packages())
		if err != nil {
			return nil, err
		}
		if tree[l.Path()], err = nb.Marshal(); err != nil {
			return nil, fmt.Errorf("lesson %s: %w", l.ID, err)
		}
	}
	return tree, nil
}

// mergeUnder returns a tree with the files of all given trees. It puts the given folder in front of
// every path.
func mergeUnder(folder string, trees ...files.Tree) files.Tree {
	all := files.Tree{}
	for _, t := range trees {
		for p, data := range t {
			all[path.Join(folder, p)] = data
		}
	}
	return all
}
