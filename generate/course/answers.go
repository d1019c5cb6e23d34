package course

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
)

// newAnswersCmd returns the command `generate answers`. The command is a server that compiles and
// runs learners' answers for the command `grade`.
func newAnswersCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "answers SOCKET",
		Short: "compile and run learners' answers for the command grade --answers",
		Long: `This command compiles and runs learners' answers for the command grade --answers SOCKET. Use
the two commands together if grade is not allowed to create a sandbox, as in most Kubernetes
pods. This command listens on the Unix socket SOCKET until you interrupt it.

Learners' answers run with the rights of this command, and with limits on time and memory.
Start the command in a container that has no network and contains no submissions and no
grades. The container should be able to write only to its folder for temporary files and
to the folder of the socket. The folder docker/kubernetes contains an example.

` + exitHelp,
		Example: `  go run ./generate answers /run/hyperplane/answers.sock
  go run ./generate grade hand-ins --class course --out grades --answers /run/hyperplane/answers.sock`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, _, err := openModule()
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
			tools, err := toolchain(cmd.Context(), root, toolDir, true)
			if err != nil {
				return err
			}
			l, err := listenAt(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "compiling and running answers for clients of %s\n", args[0])
			return grading.Serve(cmd.Context(), l, tools, jobDir)
		},
	}
}

// listenAt listens on a Unix socket. If an earlier server has ended without removing its socket,
// listenAt replaces that socket.
func listenAt(socket string) (net.Listener, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		info, there := os.Lstat(socket)
		if there != nil || info.Mode().Type() != os.ModeSocket {
			return nil, err
		}
		if c, served := net.Dial("unix", socket); served == nil {
			return nil, errors.Join(fmt.Errorf("another server already listens at %s", socket), c.Close())
		}
		if err := os.Remove(socket); err != nil {
			return nil, err
		}
		if l, err = net.Listen("unix", socket); err != nil {
			return nil, err
		}
	}
	// Let every user of the group connect to the socket, because the command `grade` may run as a
	// different user of the same group.
	if err := os.Chmod(socket, 0o660); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
