package play

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// A trim removes code from one of Go's tools: the code that generates programs for machines other
// than wasm. This code is by far the largest part of the compiler. A trim does not change the
// installed Go; the tool is built with edited copies of some source files. If an edit does not fit
// the sources of the installed Go, or the edited tool does not compile, the tool is built without
// edits.
type trim struct {
	name  string // name of the tool, "compile" or "link"
	edits []edit
}

// An edit removes lines from a file below src/cmd/<name of the tool>. It removes the lines that match the
// regular expression `drop`, unless `drop` is nil. If the field `from` is not "", the edit also
// removes cases of a switch. The removed cases begin at the text in `from` and end before the case
// for wasm.
type edit struct {
	file, from string
	drop       *regexp.Regexp
}

const others = `(386|amd64|arm|arm64|loong64|mips|mipsle|mips64|mips64le|ppc64|ppc64le|riscv64|s390x|x86)`

var (
	trimCompile = trim{"compile", []edit{
		// The regular expression matches the lines that import the code for other machines. It also
		// matches the lines of a table that contain the name of such a machine, followed by a
		// function.
		{"main.go", "", regexp.MustCompile(`(?m)^\t+("cmd/compile/internal/` + others + `"|"` + others + `": .*)\n`)},
		{"internal/ssa/config.go", "\tcase \"amd64\":\n", nil},
	}}
	trimLink = trim{"link", []edit{
		{"main.go", "\tcase \"386\":\n", regexp.MustCompile(`(?m)^\t+"cmd/link/internal/` + others + `"\n`)},
	}}
)

// apply returns the source of the file without the lines that e removes.
func (e edit) apply(source string) (string, error) {
	const wasm = "\tcase \"wasm\":\n"
	if e.drop != nil {
		if !e.drop.MatchString(source) {
			return "", fmt.Errorf("%s does not import the code for other machines", e.file)
		}
		source = e.drop.ReplaceAllString(source, "")
	}
	if e.from != "" {
		before, rest, ok := strings.Cut(source, e.from)
		_, after, found := strings.Cut(rest, wasm)
		if !ok || !found {
			return "", fmt.Errorf("%s does not contain %q followed by %q", e.file, strings.TrimSpace(e.from),
				strings.TrimSpace(wasm))
		}
		source = before + wasm + after
	}
	return source, nil
}

// overlay returns the edited files, keyed by their paths in the installed Go.
func (t trim) overlay(root string) (map[string]string, error) {
	out := map[string]string{}
	for _, e := range t.edits {
		path := filepath.Join(root, "src", "cmd", t.name, filepath.FromSlash(e.file))
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if out[path], err = e.apply(string(text)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// setToolchain sets the folder and the version of the installed Go.
func (b *builder) setToolchain(ctx context.Context) error {
	out, err := b.run(ctx, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return err
	}
	lines := strings.Fields(string(out))
	if len(lines) != 2 {
		return fmt.Errorf("go env printed %q, want a folder without spaces and a version", out)
	}
	b.root, b.version = lines[0], lines[1]
	return nil
}

// run runs the go command for js/wasm in the module and returns its output.
func (b *builder) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.Root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWORK=off", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0",
		"GOTMPDIR="+b.dir)
	// Interrupt the go command instead of killing it, so that it removes its temporary files.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s for js/wasm: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// tool returns one of Go's tools, compiled for wasm and compressed, and reports whether it was
// trimmed. If trimming fails, tool gives a warning and returns the tool untrimmed.
func (b *builder) tool(ctx context.Context, t trim) (data []byte, trimmed bool, err error) {
	edited, why := t.overlay(b.root)
	if why == nil {
		if data, why = b.build(ctx, t.name, edited); why == nil {
			return data, true, nil
		}
	}
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	b.Warn(fmt.Sprintf("the tool %s of %s is larger than necessary because the code for other machines could not be removed from it: %v", t.name,
		b.version, why))
	data, err = b.build(ctx, t.name, nil)
	return data, false, err
}

// key returns the key under which the cache stores a tool that was built with the given edited
// files.
func (b *builder) key(tool string, edited map[string]string) ([]byte, error) {
	text, err := json.Marshal(edited)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", tool, b.version, text))
	return sum[:], err
}

// build compiles a tool with the edited files in place of the installed files, and compresses it. It
// builds without profiles, which would make the tool a few percent faster but larger. The tag
// cmd_go_bootstrap excludes code that only a developer's machine needs, such as telemetry. If the
// cache contains the tool, build returns it from there.
func (b *builder) build(ctx context.Context, tool string, edited map[string]string) ([]byte, error) {
	key, err := b.key(tool, edited)
	if err != nil {
		return nil, err
	}
	return b.getOrMake(ctx, key, func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "hyperplane-play-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		overlay := map[string]string{}
		for path, text := range edited {
			overlay[path] = filepath.Join(dir, fmt.Sprintf("%d.go", len(overlay)))
			err = errors.Join(err, os.WriteFile(overlay[path], []byte(text), 0o600))
		}
		program := filepath.Join(dir, tool+".wasm")
		file, overlayErr := files.Overlay(dir, overlay)
		if err := errors.Join(err, overlayErr); err != nil {
			return nil, err
		}
		if _, err := b.run(ctx, "build", "-overlay", file, "-trimpath", "-ldflags=-s -w", "-pgo=off",
			"-tags=cmd_go_bootstrap", "-o", program, "cmd/"+tool); err != nil {
			return nil, err
		}
		return os.ReadFile(program)
	})
}
