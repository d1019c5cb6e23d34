package trial

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// A Bundle is many texts for one exercise, each a whole answer that is known to
// compile: the reference and its mutants. They become one package, which is built
// far faster than one package each.
type Bundle struct {
	Exercise *exercise.Exercise
	Texts    []Suffixer
}

// A Suffixer is a text whose top-level names can be told from those of the others.
type Suffixer interface {
	// Suffixed returns the declarations with suffix behind every top-level name.
	Suffixed(suffix string) string
	// Needs returns the imports of the declarations.
	Needs() []cell.Import
}

// A Program judges the texts of bundles, each in a process of its own.
type Program struct{ dir, path string }

// Build compiles the bundles against the module at root. The caller closes the
// program. A text that does not compile is an error: it was known to.
func Build(ctx context.Context, root string, bundles []Bundle) (*Program, error) {
	root, err := filepath.Abs(root) // as the go command speaks of files
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "hyperplane-trial-")
	if err != nil {
		return nil, err
	}
	p := &Program{dir, filepath.Join(dir, "judge")}
	if err := p.build(ctx, root, bundles); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close removes the program.
func (p *Program) Close() error { return os.RemoveAll(p.dir) }

func (p *Program) build(ctx context.Context, root string, bundles []Bundle) error {
	o := newOverlay(root, p.dir)
	var included []int
	for i, b := range bundles {
		included = append(included, i)
		for k, text := range b.Texts {
			suffix := fmt.Sprintf("_%d", k)
			if err := o.add(fmt.Sprintf("s%d/t%d.go", i, k), b.member(i, text, suffix)); err != nil {
				return err
			}
		}
		if err := o.add(fmt.Sprintf("s%d/s.go", i), b.entry(i)); err != nil {
			return err
		}
	}
	if err := o.addProgram(included); err != nil {
		return err
	}
	messages, err := o.build(ctx, "-ldflags=-w", "-o", p.path, "./"+virtual)
	if err != nil {
		return err
	}
	for i, text := range messages {
		return fmt.Errorf("%s: a text made of its reference answer does not compile: %s", bundles[i].Exercise.ID, text)
	}
	return nil
}

// member is the file of one text: its declarations and a function that judges
// them.
func (b Bundle) member(i int, text Suffixer, suffix string) string {
	var s strings.Builder
	imports := cell.Merge(text.Needs(), []cell.Import{b.Exercise.Import(), {Path: cell.Module + "/toolkit/verify"}})
	fmt.Fprintf(&s, "package s%d\n\n%s\n\n", i, cell.Declaration(imports))
	fmt.Fprintf(&s, "func judgeSubmission%s() []*verify.Report {\n\treturn []*verify.Report{\n", suffix)
	for _, call := range b.Exercise.Calls {
		args := make([]string, len(call.Args))
		for k, arg := range call.Args {
			args[k] = arg + suffix
		}
		fmt.Fprintf(&s, "\t\t%s.%s(%s),\n", b.Exercise.Package(), call.Func, strings.Join(args, ", "))
	}
	fmt.Fprintf(&s, "\t}\n}\n\n%s\n", text.Suffixed(suffix))
	return s.String()
}

// entry is the function that judges the text of a number.
func (b Bundle) entry(i int) string {
	var cases strings.Builder
	for k := range b.Texts {
		fmt.Fprintf(&cases, "\tcase %d:\n\t\treturn judgeSubmission_%d()\n", k, k)
	}
	return fmt.Sprintf(`package s%d

import "%s/toolkit/verify"

func JudgeSubmission(text int) []*verify.Report {
	switch text {
%s	}
	return nil
}
`, i, cell.Module, cases.String())
}

// Judge judges the text of a bundle, by their numbers. It returns an error when it
// could not judge.
func (p *Program) Judge(ctx context.Context, bundle, text int, limits Limits) (Judgement, error) {
	return run(ctx, p.path, bundle, text, limits)
}
