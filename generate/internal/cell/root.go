package cell

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// FindRoot returns the root folder of the course's module: the nearest folder, starting with dir
// and going up, that contains the module's go.mod. Outside the module, FindRoot returns an error. But
// if the program was installed by version (go install …@v1.2.3), FindRoot returns a folder with a copy
// of that version's sources instead. See [Installed].
func FindRoot(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := start; ; at = filepath.Dir(at) {
		mod, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && bytes.HasPrefix(mod, []byte("module "+CourseModule+"\n")) {
			return at, nil
		}
		if at != filepath.Dir(at) {
			continue
		}
		if version := Installed(); version != "" {
			return copySources(version)
		}
		if !InHyperplane() {
			return "", fmt.Errorf("%s is not inside the module %s of the course; change to the module's folder", start,
				CourseModule)
		}
		return "", fmt.Errorf("%s is not inside the module %s, which contains the exercises, lessons and kernel; "+
			"change to the module's folder, or install the command by version: go install %s/generate@latest",
			start, HyperplaneModule, HyperplaneModule)
	}
}

// Toolkit returns the folder with the toolkit's sources that the go command uses for the course's
// module in root. This folder is the folder of the course itself, a checkout of the toolkit, or a
// copy of a version from the module cache.
func Toolkit(root string) (string, error) {
	if InHyperplane() {
		return root, nil
	}
	cmd := exec.Command("go", "list", "-m", "-json", HyperplaneModule)
	cmd.Dir = root
	var m struct {
		Dir, Version string
		Replace      *struct{ Version string }
	}
	output, err := cmd.Output()
	if e := json.Unmarshal(output, &m); err != nil || e != nil || m.Dir == "" {
		return "", fmt.Errorf("the module %s cannot find the sources of %s: %w; run `go mod tidy`", CourseModule,
			HyperplaneModule, errors.Join(err, e))
	}
	if m.Replace != nil && m.Replace.Version == "" {
		return m.Dir, nil
	}
	return copySources(m.Version)
}

// InClone reports whether root, a result of [FindRoot], is a folder of the user, in which the user can
// find and store files. It returns false for the cached sources of an installed program.
func InClone(root string) bool {
	folder, err := sourcesFolder()
	return err != nil || !strings.HasPrefix(root, folder+string(filepath.Separator))
}

// ownLine is the command line that runs the program of the toolkit's own course. Texts and messages
// contain this command line.
const ownLine = "go run ./generate"

// InCourse replaces the toolkit's command line in a text with the command line of this process's
// course and returns the result.
func InCourse(text string) string {
	if InHyperplane() {
		return text
	}
	return strings.ReplaceAll(text, ownLine, "go run .")
}

// Command returns the command line that runs the program of the course in the module's folder.
func Command() string { return InCourse(ownLine) }

// Clone tells the user how to clone the repository and set up its kernel. A copy in Go's module
// cache is not enough, because it lacks the nested modules from which `make setup` builds the kernel.
const Clone = "get the repository (git clone https://" + HyperplaneModule + ") and run `make setup` in it"

// Setup tells the user how to set up a kernel for a course that has its own Go module.
const Setup = "run `go run . setup --from CHECKOUT/.tools`, where CHECKOUT is the folder of your clone of hyperplane; if you have no clone, " + Clone

// Installed returns the version of the running program, such as "v0.3.0", if the program was
// installed by version (go install …@v0.3.0). If the program was built in a clone, or if it is the
// program of a course that has its own module, Installed returns "".
func Installed() string {
	info, ok := debug.ReadBuildInfo()
	// Only a program that was built from a downloaded module contains the module's checksum. A
	// program that was built in a clone contains no checksum.
	if !ok || info.Main.Path != HyperplaneModule || info.Main.Sum == "" {
		return ""
	}
	return info.Main.Version
}

// sourcesFolder returns the folder with the sources of installed programs, one folder per version.
func sourcesFolder() (string, error) {
	user, err := os.UserCacheDir()
	return filepath.Join(user, "hyperplane", "sources"), err
}

// copySources returns a folder with the sources of a version of the module. On first use it copies
// these sources from the module cache, after downloading them if necessary. The copy is necessary
// because compiling an answer needs overlays, which the go command refuses for files in the module
// cache.
func copySources(version string) (string, error) {
	folder, err := sourcesFolder()
	if err != nil {
		return "", fmt.Errorf("no folder for the sources of %s@%s: %w; set HOME or XDG_CACHE_HOME", HyperplaneModule, version,
			err)
	}
	root := filepath.Join(folder, version)
	if _, err := os.Stat(root); err == nil {
		return root, nil
	}
	cmd := exec.Command("go", "mod", "download", "-json", HyperplaneModule+"@"+version)
	// The download runs in os.TempDir, which is outside every module of the user. Therefore no
	// go.mod of the user affects the download.
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	output, err := cmd.Output()
	var found struct{ Dir, Error string }
	if e := json.Unmarshal(output, &found); err != nil || e != nil || found.Dir == "" {
		return "", fmt.Errorf("cannot find the sources of %s@%s in the module cache or download them: %w %s; "+
			"install the command again: go install %s/generate@%s", HyperplaneModule, version, errors.Join(err, e), found.Error,
			HyperplaneModule, version)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	unfinished, err := os.MkdirTemp(folder, version+".unfinished-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(unfinished) // does nothing after a successful rename
	if err := os.CopyFS(unfinished, os.DirFS(found.Dir)); err != nil {
		return "", err
	}
	if err := os.Rename(unfinished, root); err != nil {
		if _, there := os.Stat(root); there != nil { // another process may have created root in the meantime
			return "", err
		}
	}
	return root, nil
}
