package course

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
)

// The pages of a site need a Go compiler that runs in the browser. The code in this file builds
// this compiler in a child process. Meanwhile the site is already served, so readers can open the
// pages before the compiler is ready.

// newCompilerCmd returns the command `generate compiler`, which builds the Go compiler that the
// pages of a site run. A server of the site runs this command as a child process. The command ends
// when its standard input ends. The standard input is a pipe from the server, so the command never
// outlives the server.
func newCompilerCmd() *cobra.Command {
	var out, reuse string
	cmd := &cobra.Command{
		Use:   "compiler",
		Short: "build the compiler that the pages of a site run (site --serve starts this command)",
		Long: `This command builds the Go compiler that the pages of a site run in the browser, and writes
the compiler to the site's folder. The command site --serve starts this command as a child
process. The child process ends when its standard input ends.

` + exitHelp,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// When a terminal is closed, all of its processes receive SIGHUP. Catch this signal, so
			// that the command removes its temporary files before it ends.
			ctx, clean := signal.NotifyContext(cmd.Context(), syscall.SIGHUP)
			defer clean()
			ctx, stop := context.WithCancelCause(ctx)
			go func() {
				_, _ = io.Copy(io.Discard, cmd.InOrStdin())
				stop(errors.New("the server has ended"))
			}()
			root, module, err := openModule()
			if err != nil {
				return err
			}
			exercises, err := current.Exercises(module)
			if err != nil {
				return err
			}
			inputs, err := compilerInputs(module)
			if err != nil {
				return err
			}
			made, _, err := play.Build(ctx, play.Options{Root: root, Cache: reuse, Exercises: exercises,
				Warn: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), program+":", text) },
				Done: func(share float64) { fmt.Fprintln(cmd.OutOrStdout(), share) }})
			if err != nil {
				return errors.Join(context.Cause(ctx), err)
			}
			// Write the manifest last. As soon as a page finds the manifest, it loads all files
			// that the manifest names, so these files must exist.
			manifest := files.Tree{play.ManifestPath: made[play.ManifestPath], inputsPath: []byte(inputs)}
			delete(made, play.ManifestPath)
			for _, tree := range []files.Tree{made, manifest} {
				if _, err := tree.Write(ctx, out); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder of the site")
	cmd.Flags().StringVar(&reuse, "reuse", "", "reuse the compressed files of an earlier build in this folder")
	return cmd
}

// inputsPath is the path of a file on the site. This file contains a hash of the sources from which
// the compiler of the site was built.
const inputsPath = play.Folder + "/inputs.txt"

// hasCompiler reports whether the site in the folder `out` has a compiler that was built from the
// sources with the hash `inputs`.
func hasCompiler(out, inputs string) bool {
	_, err := os.Stat(filepath.Join(out, filepath.FromSlash(play.ManifestPath)))
	recorded, readErr := os.ReadFile(filepath.Join(out, filepath.FromSlash(inputsPath)))
	return errors.Join(err, readErr) == nil && string(recorded) == inputs
}

// usualBuild is the time that the build of the compiler usually takes, with two processors and an
// empty build cache.
const usualBuild = 150 * time.Second

// A compilerBuild describes the child process that builds the compiler for a server: how long the build
// will probably take, whether it has ended, and why it failed.
type compilerBuild struct {
	mu        sync.Mutex
	begun     time.Time
	estimated time.Duration // estimated total duration of the build
	failed    string        // the reason why the build failed, or ""
	ended     chan struct{} // closed when the child process has ended
}

// startCompilerBuild starts the child process that builds the compiler of the site in the folder `out`. The
// child ends when ctx is cancelled, and also when this process ends or is killed.
func startCompilerBuild(ctx context.Context, root, out, reuse string) (*compilerBuild, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	if reuse != "" {
		if reuse, err = filepath.Abs(reuse); err != nil {
			return nil, err
		}
	}
	// Remove the manifest of an older compiler. Otherwise the new pages would judge answers with
	// the older compiler.
	if err := os.Remove(filepath.Join(out, filepath.FromSlash(play.ManifestPath))); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "compiler", "--out", out, "--reuse", reuse)
	cmd.Dir = root
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	cmd.Cancel = in.Close
	cmd.WaitDelay = 20 * time.Second
	childOutput, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	b := &compilerBuild{begun: time.Now(), estimated: usualBuild, ended: make(chan struct{})}
	go func() {
		defer close(b.ended)
		for lines := bufio.NewScanner(childOutput); lines.Scan(); {
			if share, err := strconv.ParseFloat(lines.Text(), 64); err == nil {
				b.recordProgress(share)
			}
		}
		if err := cmd.Wait(); err != nil {
			b.mu.Lock()
			b.failed = strings.TrimSpace(stderr.String() + " " + err.Error())
			b.mu.Unlock()
		}
	}()
	return b, nil
}

// recordProgress updates the estimate of the total duration, after the build has completed the given
// share of its work. The estimate is the time used so far, divided by the share.
func (b *compilerBuild) recordProgress(share float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.estimated = time.Duration(float64(time.Since(b.begun)) / share)
}

// State returns the estimated remaining time of the build, or the reason why the build failed. A
// page shows this state while the site has no compiler.
func (b *compilerBuild) State() play.State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return play.State{Left: max(b.estimated-time.Since(b.begun), 0).Seconds(), Failed: b.failed}
}
