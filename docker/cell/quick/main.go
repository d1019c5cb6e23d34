// Command quick builds the program of a cell the way `go build` would, without asking
// again what it already knows: which archives of the build cache a program of these
// imports is made of.
//
//	quick table TABLE PACKAGE…      makes the table, in a folder like a cell's
//	quick build TABLE -o PROGRAM    compiles and links ./main.go by the table
//	quick check TABLE               tells by its status whether the table holds
//	quick imports TABLE FILE        imports the packages of misspelt names, after goimports
//
// `go build` takes as long to find the archives as to compile and link them. What it
// finds depends on the sources alone, so the table keeps it beside the hashes of all
// sources that can change; those of Go and of the module cache cannot. A program is
// built by the table only if nothing differs from what `go build` saw. In every other
// case, a cell that does not compile among them, quick ends with status 1, has written
// nothing, and the caller runs `go build`, which knows better and says why. Why quick
// did not, it says if HYPERPLANE_QUICK=why is in the environment.
package main

import (
	"fmt"
	"os"
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) > 2 && args[0] == "table":
		if err = write(args[1], args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "quick:", err)
		}
	case len(args) == 4 && args[0] == "build" && args[2] == "-o":
		err = build(args[1], args[3])
	case len(args) == 2 && args[0] == "check":
		err = check(args[1])
	case len(args) == 3 && args[0] == "imports":
		var t *table
		if t, err = read(args[1]); err == nil {
			err = restore(t, args[2])
		}
	default:
		err = fmt.Errorf("unknown arguments")
	}
	if err != nil {
		if os.Getenv("HYPERPLANE_QUICK") == "why" {
			fmt.Fprintln(os.Stderr, "quick:", err)
		}
		os.Exit(1)
	}
}
