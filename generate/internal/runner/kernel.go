package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// modules are what runner.py imports.
const modules = "nbclient, nbformat, jupyter_client"

// FindPython returns the python that runs notebooks: $HYPERPLANE_PYTHON if set,
// else Debian's, else the one in PATH (which may be another, without the modules).
func FindPython() (string, error) {
	candidates := []string{"/usr/bin/python3", "python3"}
	if p := os.Getenv("HYPERPLANE_PYTHON"); p != "" {
		candidates = []string{p}
	}
	for _, p := range candidates {
		if python(p, "import "+modules).Run() != nil {
			continue
		}
		path, err := exec.LookPath(p)
		if err != nil {
			return "", err
		}
		return filepath.Abs(path)
	}
	return "", fmt.Errorf("no python with %s (tried %s): run `docker/setup.sh packages`", modules, strings.Join(candidates, ", "))
}

// python is a command that runs a program in an interpreter whose modules are its
// own: nothing is imported from the current folder, which holds other people's
// files, nor from PYTHONPATH. (-P, which is the first of it, came with python 3.11;
// -I would also leave out what pip installed for the user.)
func python(interpreter, program string) *exec.Cmd {
	const ownModules = "import sys; sys.path[:] = [p for p in sys.path if p]\n"
	return exec.Command(interpreter, "-E", "-B", "-u", "-c", ownModules+program)
}

// foreign are the user's variables under which a cell would be compiled for another
// machine, or not in the workspace that GoNB makes for it.
var foreign = []string{"GOWORK", "GO111MODULE", "GOOS", "GOARCH", "GOFLAGS"}

// environment is what a run inherits from this process.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(foreign, name)
	})
}

// FindTools returns the folder that docker/setup.sh filled: $HYPERPLANE_TOOLS if
// set, else .tools in the repository that dir lies in.
func FindTools(dir string) (string, error) {
	if t := os.Getenv("HYPERPLANE_TOOLS"); t != "" {
		return filepath.Abs(t)
	}
	root, err := cell.FindRoot(dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(root, ".tools"), nil
}

// A Kernel is what it takes to run notebooks.
type Kernel struct {
	Python string // an interpreter with nbclient
	Data   string // a Jupyter data folder that holds kernels/gonb
}

// FindKernel looks for the kernel of the repository that dir lies in.
func FindKernel(dir string) (Kernel, error) {
	tools, err := FindTools(dir)
	if err != nil {
		return Kernel{}, err
	}
	k := Kernel{Data: filepath.Join(tools, "share", "jupyter")}
	spec := filepath.Join(k.Data, "kernels", "gonb", "kernel.json")
	text, err := os.ReadFile(spec)
	if errors.Is(err, os.ErrNotExist) {
		remedy := "run `make setup`"
		if !cell.InClone(tools) {
			remedy = cell.Clone + ", and run notebooks there"
		}
		return Kernel{}, fmt.Errorf("no GoNB kernel in %s: %s", k.Data, remedy)
	} else if err != nil {
		return Kernel{}, err
	}
	if root, err := cell.FindRoot(dir); err == nil {
		if other := OtherCheckout(text, root); other != "" {
			return Kernel{}, fmt.Errorf("%s: run `make setup` in %s", other, root)
		}
	}
	k.Python, err = FindPython()
	return k, err
}

// OtherCheckout says which checkout the kernel serves by its kernel.json, "" if it is the
// one in root.
func OtherCheckout(spec []byte, root string) string {
	var kernel struct {
		Argv []string `json:"argv"`
	}
	_ = json.Unmarshal(spec, &kernel) // what cannot be read names no checkout
	for _, a := range kernel.Argv {
		folder, ok := strings.CutPrefix(strings.TrimLeft(a, "-"), "go_work=")
		switch {
		case !ok:
		case resolved(folder) == resolved(root):
			return ""
		default:
			return fmt.Sprintf("the kernel serves the checkout %s, not %s", folder, root)
		}
	}
	return "the kernel serves no checkout, want " + root
}

// resolved is a path without links, as docker/setup.sh writes it.
func resolved(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// probeSource imports what most cells import, and answers to nobody's exercise.
const probeSource = `%noautoget
import "github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
%%
verify.Run("probe", "a cell runs", verify.Part{Name: "cell", Judge: func() verify.Verdict { return verify.Pass("it ran") }})
`

// probeTimeout is enough to compile all that the probe imports.
const probeTimeout = 3 * time.Minute

// Probe runs one cell that cannot be wrong through the kernel. An error says what is
// the matter with the set-up: cache, compiler, temporary folder, kernel.
func Probe(ctx context.Context, k Kernel) error {
	o := Options{Kernel: k, Timeout: probeTimeout}.withDefaults()
	done, _, err := play(ctx, k, o.job([]string{probeSource}), func(event) {})
	if err != nil {
		return err
	}
	c := nbformat.New().AddCode("probe", probeSource)
	c.Metadata["hyperplane"] = map[string]any{"exercise": "probe", "role": "check"}
	c.Outputs = done[0].outputs
	if judged := done[0].judge(c, claim{}, o); judged.Verdict != Passed {
		return fmt.Errorf("%s: %s", judged.Verdict, judged.Detail)
	}
	return nil
}
