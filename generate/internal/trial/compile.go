package trial

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// Compile compiles the code cells of notebooks, without a kernel and without
// running them. It returns for each notebook the compiler's messages, which name
// cell and line, "" when all cells compile. A cell that is meant to fail (its
// metadata expects another verdict than OK or NotPassed) is left out. It returns
// an error only when it cannot compile at all.
func Compile(ctx context.Context, root string, notebooks []*nbformat.Notebook) ([]string, error) {
	dir, err := os.MkdirTemp("", "hyperplane-trial-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	o := newOverlay(root, dir)
	var args []string
	for i, nb := range notebooks {
		text, err := packageOfCells(i, nb)
		if err != nil {
			return nil, err
		}
		if err := o.add(fmt.Sprintf("s%d/s.go", i), text); err != nil {
			return nil, err
		}
		args = append(args, fmt.Sprintf("./%s/s%d", virtual, i))
	}
	out := make([]string, len(notebooks))
	messages, err := o.build(ctx, args...)
	for i, text := range messages {
		out[i] = text
	}
	return out, err
}

// packageOfCells is a package with the declarations of all cells, and a function
// for the %% part of each, with the imports that they use.
func packageOfCells(i int, nb *nbformat.Notebook) (string, error) {
	var imports []cell.Import
	var body strings.Builder
	for _, c := range nb.Cells {
		if c.Type != nbformat.Code || meantToFail(c) {
			continue
		}
		read, err := cell.Read(c.ID, 1, c.Source, nil)
		if err != nil {
			return "", err
		}
		imports = append(imports, read.Imports...)
		declarations, main, _ := strings.Cut("\n"+c.Source+"\n", "\n%%\n")
		fmt.Fprintf(&body, "//line %s:1:1\n%s\n", c.ID, withoutImports(declarations))
		if main != "" {
			name := "cell_" + strings.ReplaceAll(c.ID, "-", "_")
			fmt.Fprintf(&body, "func %s() {\n//line %s:%d:1\n%s}\n", name, c.ID, 2+strings.Count(declarations, "\n"), main)
		}
	}
	source := body.String()
	known := map[string]cell.Import{}
	for _, imp := range imports {
		known[imp.Called()] = imp
	}
	used, err := cell.Read("cells", 1, source, known) // as GoNB, drop what is not used
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("package s%d\n\n%s\n%s", i, cell.Declaration(used.Imports), source), nil
}

func meantToFail(c *nbformat.Cell) bool {
	own, _ := c.Metadata["hyperplane"].(map[string]any)
	expect, _ := own["expect"].(string)
	return expect != "" && expect != "OK" && expect != "NotPassed"
}

// withoutImports empties the lines of the import declaration and of commands, so
// that the other lines keep their numbers.
func withoutImports(declarations string) string {
	lines := strings.Split(strings.TrimPrefix(declarations, "\n"), "\n")
	inside := false
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "import ("):
			inside = true
		case inside && trimmed == ")":
			inside = false
		case inside, strings.HasPrefix(trimmed, "import "), strings.HasPrefix(trimmed, "%"), strings.HasPrefix(trimmed, "!"):
		default:
			continue
		}
		lines[i] = ""
	}
	return strings.Join(lines, "\n")
}
