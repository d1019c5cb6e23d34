// Generate makes what is made from sources: notebooks from exercises and
// lessons, figures from the toolkit; and it runs and judges notebooks.
//
//	go run ./generate help
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// commands are the sub-commands in the order of the help.
var commands = []func() *cobra.Command{
	newListCmd,
	newExercisesCmd,
	newNotebooksCmd,
	newFiguresCmd,
	newEquationsCmd,
	newRunCmd,
	newStripCmd,
	newJudgeCmd,
	newProgressCmd,
	newDoctorCmd,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
