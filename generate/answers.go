package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
)

// newAnswersCmd is `generate answers`: where answers run in a container of their own.
func newAnswersCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "answers SOCKET",
		Short: "compile and run answers for generate grade --answers, in a container of their own",
		Long: `answers compiles and runs answers for generate grade --answers SOCKET, where that may
not make a sandbox itself, as in most pods. It listens at the Unix socket until it is
interrupted.

Answers run with its rights and limits on time and memory: start it in a container that
holds neither hand-ins nor grades, has no network and no right to write but to its
folder for temporary files and to that of the socket. docker/kubernetes is one.

` + exitHelp,
		Example: `  go run ./generate answers /run/hyperplane/answers.sock
  go run ./generate grade hand-ins --class course --out grades --answers /run/hyperplane/answers.sock`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, _, err := module()
			if err != nil {
				return err
			}
			dir, err := os.MkdirTemp("", "hyperplane-answers-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			toolDir, jobDir := filepath.Join(dir, "tools"), filepath.Join(dir, "jobs")
			if err := errors.Join(os.Mkdir(toolDir, 0o755), os.Mkdir(jobDir, 0o700)); err != nil {
				return err
			}
			tools, err := grading.NewToolchain(cmd.Context(), root, toolDir, true)
			if err != nil {
				return err
			}
			l, err := listenAt(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "answers are compiled and run for who connects to %s\n", args[0])
			return grading.Serve(cmd.Context(), l, tools, jobDir)
		},
	}
}

// listenAt listens at a socket, in place of one whose server has died.
func listenAt(socket string) (net.Listener, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		info, there := os.Lstat(socket)
		if there != nil || info.Mode().Type() != os.ModeSocket {
			return nil, err
		}
		if c, served := net.Dial("unix", socket); served == nil {
			return nil, errors.Join(fmt.Errorf("%s is served already", socket), c.Close())
		}
		if err := os.Remove(socket); err != nil {
			return nil, err
		}
		if l, err = net.Listen("unix", socket); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(socket, 0o660); err != nil { // the judge may be another user of the same group
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
