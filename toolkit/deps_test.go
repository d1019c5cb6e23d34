package toolkit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/hyperplane-notebooks/hyperplane"

// Each variable lists prefixes of import paths. Certain packages must not import a package whose path
// begins with such a prefix.
var (
	drawing = []string{"gonum.org/v1/plot", "github.com/go-echarts", module + "/toolkit/show",
		module + "/toolkit/figures"}
	displaying  = []string{"github.com/janpfeifer/gonb", "k8s.io/klog"}
	commandLine = []string{"github.com/spf13/cobra", "github.com/yuin/goldmark"}
	oneExercise = []string{module + "/exercises/prml4", module + "/exercises/alpaydin10", module + "/exercises/lessons"}
	// packages that would make the linking of every notebook cell slower
	slowToLink = []string{"text/template", "html/template", "net/http"}
	// Arrow and Beam: only modules separate from this module may import them
	columnar = []string{"github.com/apache/"}
	foreign  = []string{"github.com/", "gonum.org/", "golang.org/", "k8s.io/", "gopkg.in/"}
)

// forbidden lists rules. Each rule has a pattern (see path.Match) that selects packages of this
// module. It also lists the packages that the selected packages must not import, directly or
// indirectly.
var forbidden = []rule{
	{"toolkit", [][]string{slowToLink, foreign}},
	{"toolkit/internal/*", [][]string{drawing, displaying, commandLine}},
	{"toolkit/datasets", [][]string{drawing, displaying, commandLine}},
	{"toolkit/classify", [][]string{drawing, displaying, commandLine}},
	{"toolkit/verify", [][]string{drawing, commandLine}},
	{"toolkit/show", [][]string{commandLine, {module + "/toolkit/verify", module + "/exercises"}}},
	{"toolkit/figures", [][]string{commandLine, {module + "/exercises"}}},
	{"exercises", [][]string{drawing, commandLine, oneExercise, slowToLink}},
	{"exercises/progress",
		// importing package toolkit itself is allowed
		[][]string{drawing, displaying, commandLine, oneExercise, slowToLink, {module + "/toolkit/"}}},
	{"exercises/*/*", [][]string{drawing, commandLine}},
	{"toolkit/*", [][]string{{module + "/generate"}, columnar}},
}

func TestLayers(t *testing.T) {
	packages := list(t, module+"/...")
	if len(packages) < 8 {
		t.Fatalf("'go list' found only %d packages, want at least 8", len(packages))
	}
	for _, v := range violations(packages) {
		t.Error(v)
	}
	for _, rule := range forbidden {
		if !slices.ContainsFunc(packages, func(p pkg) bool { return rule.covers(p.ImportPath) }) {
			t.Errorf("no package matches the pattern %s of a rule, want at least one", rule.packages)
		}
	}
}

// TestOnlyTheCatalogueImportsExercises checks that only the catalogue imports exercises. If another
// package imported the exercises, a notebook cell for a single exercise might have to link all
// exercises.
func TestOnlyTheCatalogueImportsExercises(t *testing.T) {
	for _, p := range list(t, module+"/...") {
		for _, imp := range p.Imports {
			exercise, _ := path.Match(module+"/exercises/*/ex*", imp)
			lesson, _ := path.Match(module+"/exercises/lessons/lesson*", imp)
			if (exercise || lesson) && p.ImportPath != module+"/generate/internal/catalog" {
				t.Errorf("%s imports %s, but only the catalogue may import exercises", p.ImportPath, imp)
			}
		}
	}
}

// TestModules checks the list of modules on which a program outside this module depends. The
// program of the first case uses only the packages classify and datasets. The program of the second
// case also draws plots.
func TestModules(t *testing.T) {
	models := []string{"golang.org/x/sys", "golang.org/x/tools", "gonum.org/v1/gonum"}
	drawing := []string{
		"codeberg.org/go-fonts/liberation", "codeberg.org/go-latex/latex", "codeberg.org/go-pdf/fpdf",
		"git.sr.ht/~sbinet/gg",
		"github.com/ajstarks/svgo", "github.com/go-echarts/go-echarts/v2", "github.com/go-logr/logr",
		"github.com/gofrs/uuid",
		"github.com/golang/freetype", "github.com/janpfeifer/gonb", "github.com/pkg/errors", "golang.org/x/exp",
		"golang.org/x/image",
		"golang.org/x/text", "gonum.org/v1/plot", "k8s.io/klog/v2",
	}
	for _, tt := range []struct{ packages, modules []string }{
		{[]string{module + "/toolkit/classify", module + "/toolkit/datasets"}, models},
		{[]string{module + "/toolkit/show"}, slices.Concat(models, drawing)},
	} {
		args := append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}} {{$.ImportPath}}{{end}}"},
			tt.packages...)
		out, err := exec.Command("go", args...).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		var found []string
		for line := range strings.Lines(string(out)) {
			path, pkg, ok := strings.Cut(strings.TrimSpace(line), " ")
			if !ok || path == module {
				continue
			}
			if len(tt.packages) == 2 && path == "golang.org/x/sys" && pkg != "golang.org/x/sys/cpu" {
				t.Errorf("package classify or datasets depends on %s, want only the package golang.org/x/sys/cpu of the module golang.org/x/sys", pkg)
			}
			found = append(found, path)
		}
		slices.Sort(found)
		slices.Sort(tt.modules)
		if found = slices.Compact(found); !slices.Equal(found, tt.modules) {
			t.Errorf("%v depends on the modules\n%v, want\n%v", tt.packages, found, tt.modules)
		}
	}
}

// TestLayersGoesRed checks that the function `violations` reports a forbidden import.
func TestLayersGoesRed(t *testing.T) {
	bad := []pkg{{ImportPath: module + "/toolkit/classify", Deps: []string{"fmt", "gonum.org/v1/plot/vg"}}}
	if v := violations(bad); len(v) != 1 {
		t.Errorf("got the violations %q, want one", v)
	}
}

type rule struct {
	packages string
	what     [][]string
}

type pkg struct {
	ImportPath    string
	Imports, Deps []string
}

func violations(packages []pkg) []string {
	var out []string
	for _, p := range packages {
		for _, rule := range forbidden {
			if !rule.covers(p.ImportPath) {
				continue
			}
			for _, dep := range p.Deps {
				for _, prefix := range slices.Concat(rule.what...) {
					if strings.HasPrefix(dep, prefix) {
						out = append(out, fmt.Sprintf("%s imports %s, directly or indirectly; a rule forbids this", p.ImportPath, dep))
					}
				}
			}
		}
	}
	return out
}

func (r rule) covers(importPath string) bool {
	ok, _ := path.Match(module+"/"+r.packages, importPath)
	return ok
}

func list(t *testing.T, pattern string) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", pattern).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
