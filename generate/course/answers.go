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

// newAnswersCmd returns `generate answers`, which compiles and runs answers in a separate
// container.
func newAnswersCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "answers SOCKET",
		Short: "compile and run answers for grade --answers, in a separate container",
		Long: `answers compiles and runs answers for grade --answers SOCKET, where grade
may not create a sandbox, as in most pods. It listens on the Unix socket until it is
interrupted.

Answers run with the rights of this command, with limits on time and memory. Start it in
a container without submissions, grades and network. The container should be able to
write only to its folder for temporary files and to the folder of the socket.
docker/kubernetes is an example.

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

// listenAt listens on a socket. It replaces a socket left behind by a server that no longer runs.
func listenAt(socket string) (net.Listener, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		info, there := os.Lstat(socket)
		if there != nil || info.Mode().Type() != os.ModeSocket {
			return nil, err
		}
		if c, served := net.Dial("unix", socket); served == nil {
			return nil, errors.Join(fmt.Errorf("%s is already served", socket), c.Close())
		}
		if err := os.Remove(socket); err != nil {
			return nil, err
		}
		if l, err = net.Listen("unix", socket); err != nil {
			return nil, err
		}
	}
	// Let the group use the socket, because the command grade can run as a different user of the
	// same group.
	if err := os.Chmod(socket, 0o660); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
