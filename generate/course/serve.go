package course

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
)

// usualAddress is the address of the server if --serve gives no address. If the port of
// usualAddress is in use, the server listens on the first free one of the next 100 ports.
const usualAddress = "127.0.0.1:8080"

// serveSite serves the site in the folder `out` until a signal interrupts the command. If `build`
// is true, serveSite also builds the site's compiler. However, serveSite keeps an existing compiler
// that was built from the same sources. A new build would first remove the compiler's manifest,
// which another server of the same folder may still need.
func serveSite(cmd *cobra.Command, l net.Listener, root, out, reuse string, build bool) error {
	stdout := cmd.OutOrStdout()
	fmt.Fprintf(stdout, "serving http://%s/ until you press Ctrl-C\n", l.Addr())
	if build {
		inputs, err := compilerInputs(os.DirFS(root))
		if err != nil {
			return err
		}
		build = !hasCompiler(out, inputs)
	}
	if !build {
		return play.Serve(cmd.Context(), l, play.Handler(out, nil))
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	child, err := startCompilerBuild(ctx, root, out, reuse)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout,
		"building the compiler for the pages (usually 3 minutes, only once); meanwhile you can read the pages")
	reported := make(chan struct{})
	defer func() { stop(); <-reported }()
	go func() {
		defer close(reported)
		<-child.ended
		switch failed := child.State().Failed; {
		case ctx.Err() != nil: // serveSite is returning
		case failed != "":
			fmt.Fprintf(cmd.ErrOrStderr(),
				"%s: cannot build the compiler for the pages, which can still be read: %s\n"+
					"To try again, stop this server (Ctrl-C) and run the same command.\n", program, failed)
		default:
			fmt.Fprintln(stdout, "the compiler is ready; the pages can now judge answers")
		}
	}()
	return play.Serve(ctx, l, play.Handler(out, child.State))
}

// listen listens at the given address. If this is the usual address and its port is in use, listen
// tries the next 100 ports in order. A random port would hide a reader's progress, because browsers
// store the progress separately for each address.
func listen(address, usual string) (net.Listener, error) {
	l, err := play.Listen(address)
	if address == usual {
		host, text, _ := net.SplitHostPort(usual) // the error is nil, because the usual address is valid
		port, _ := strconv.Atoi(text)
		for next := port + 1; errors.Is(err, syscall.EADDRINUSE) && next <= port+100; next++ {
			l, err = play.Listen(net.JoinHostPort(host, strconv.Itoa(next)))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("--serve: %w", err)
	}
	return l, nil
}
