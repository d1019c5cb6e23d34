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

// requiredModules lists the Python modules that runner.py needs in addition to the standard library.
const requiredModules = "nbclient, nbformat, jupyter_client"

// FindPython returns the path of the Python that runs notebooks. The candidates are
// $HYPERPLANE_PYTHON if it is set, and otherwise /usr/bin/python3 and the python3 in PATH.
// FindPython returns an error if no candidate has the required modules.
func FindPython() (string, error) {
	candidates := []string{"/usr/bin/python3", "python3"}
	if p := os.Getenv("HYPERPLANE_PYTHON"); p != "" {
		candidates = []string{p}
	}
	for _, p := range candidates {
		if pythonCommand(p, "import "+requiredModules).Run() != nil {
			continue
		}
		path, err := exec.LookPath(p)
		if err != nil {
			return "", err
		}
		return filepath.Abs(path)
	}
	return "", fmt.Errorf("no python with %s (tried %s): run `docker/setup.sh packages`, or set HYPERPLANE_PYTHON to a python that has these modules",
		requiredModules, strings.Join(candidates, ", "))
}

// pythonCommand returns a command that runs a program in the interpreter. The interpreter does not
// import modules from PYTHONPATH or from the current folder, because that folder can contain other
// people's files. Two options of Python have the same purpose, but are not suitable: the option -P
// needs Python 3.11, and the option -I also excludes modules that pip has installed for the user.
func pythonCommand(interpreter, program string) *exec.Cmd {
	const ownModules = "import sys; sys.path[:] = [p for p in sys.path if p]\n"
	return exec.Command(interpreter, "-E", "-B", "-u", "-c", ownModules+program)
}

// foreignVariables lists environment variables of the user that must not reach the kernel. These
// variables could make Go compile a cell for a different machine, with other flags, or outside the
// workspace that GoNB creates.
var foreignVariables = []string{"GOWORK", "GO111MODULE", "GOOS", "GOARCH", "GOFLAGS"}

// environment returns the environment variables of this process that a run may inherit.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(foreignVariables, name)
	})
}

// FindTools returns the folder that docker/setup.sh fills. The folder is $HYPERPLANE_TOOLS. If this
// variable is not set, the folder is .tools in the repository that contains dir.
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

// A Kernel names the programs and files that run notebooks.
type Kernel struct {
	Python string // path of a Python interpreter that can import the modules in requiredModules
	Data   string // path of a Jupyter data folder that contains kernels/gonb
}

// FindKernel returns the kernel of the repository that contains dir.
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
		if !cell.InHyperplane() {
			remedy = cell.Setup
		}
		if !cell.InClone(tools) {
			remedy = cell.Clone + ", and run notebooks there"
		}
		return Kernel{}, fmt.Errorf("no GoNB kernel in %s: %s", k.Data, remedy)
	} else if err != nil {
		return Kernel{}, err
	}
	if root, err := cell.FindRoot(dir); err == nil {
		if other := OtherCheckout(text, root); other != "" {
			remedy := "run `make setup` in " + root
			if !cell.InHyperplane() {
				remedy = cell.Setup
			}
			return Kernel{}, fmt.Errorf("%s: %s", other, remedy)
		}
	}
	k.Python, err = FindPython()
	return k, err
}

// OtherCheckout returns a message if the kernel does not belong to the checkout in the folder
// `root`. The argument `spec` is the content of the kernel's kernel.json. If the kernel belongs to
// this checkout, OtherCheckout returns "".
func OtherCheckout(spec []byte, root string) string {
	var kernel struct {
		Argv []string `json:"argv"`
	}
	_ = json.Unmarshal(spec, &kernel) // ignore the error: if the JSON is invalid, Argv is empty
	for _, a := range kernel.Argv {
		folder, ok := strings.CutPrefix(strings.TrimLeft(a, "-"), "go_work=")
		switch {
		case !ok:
		case resolveLinks(folder) == resolveLinks(root):
			return ""
		default:
			return fmt.Sprintf("the kernel serves the checkout %s, not %s", folder, root)
		}
	}
	return "the kernel's kernel.json names no checkout, want " + root
}

// ForModule returns a changed copy of spec, the content of a checkout's kernel.json. The kernel in the
// copy serves the module in the folder `root`.
func ForModule(spec []byte, root string) ([]byte, error) {
	var kernel map[string]any
	if err := json.Unmarshal(spec, &kernel); err != nil {
		return nil, err
	}
	args, _ := kernel["argv"].([]any)
	for i, a := range args {
		if text, _ := a.(string); strings.HasPrefix(strings.TrimLeft(text, "-"), "go_work=") {
			args[i] = "-go_work=" + resolveLinks(root)
			return json.MarshalIndent(kernel, "", " ")
		}
	}
	return nil, errors.New("the kernel names no checkout: want an argument -go_work=FOLDER")
}

// resolveLinks returns a path with all links resolved, which is the form that docker/setup.sh
// writes. If the links cannot be resolved, it returns the path unchanged.
func resolveLinks(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// probeSource is the cell that Probe runs. It imports a package that most notebooks import.
const probeSource = `%noautoget
import "github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
%%
verify.Run("probe", "a cell runs", verify.Part{Name: "cell", Judge: func() verify.Verdict { return verify.Pass("it ran") }})
`

// probeTimeout is long enough to compile everything that the probe imports.
const probeTimeout = 3 * time.Minute

// Probe runs one correct cell through the kernel. If the cell fails, the set-up is broken, and
// Probe returns an error. Possible reasons are a problem with the cache, the compiler, the
// temporary folder or the kernel. Probe also returns an error if ctx ends first.
func Probe(ctx context.Context, k Kernel) error {
	o := Options{Kernel: k, Timeout: probeTimeout}.withDefaults()
	done, _, err := runCells(ctx, k, o.newJob([]string{probeSource}), func(event) {})
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
