// Command quick builds the program of a cell, as `go build` does, but faster. It uses a table that
// lists, for each imported package, the archives of the build cache that the program must link.
//
//	quick table TABLE PACKAGE…      makes the table; run it in a folder laid out like a cell's folder
//	quick build TABLE -o PROGRAM    compiles and links ./main.go using the table
//	quick check TABLE               exits with status 0 only if the table is up to date
//	quick imports TABLE FILE        adds the imports that goimports removes or omits because a name is
//	                                misspelt; run it after goimports
//
// `go build` needs as much time to find the archives as to compile and link the program. The table
// makes this search unnecessary, because it stores the paths of the archives. The archives depend
// on the sources and on the settings of the go command. Therefore the table also stores these
// settings and the hashes of all sources that can change. The sources of Go and of the module cache
// cannot change. quick uses the table only if the settings and these sources are the same as when the
// table was made. If they differ, or if the cell does not compile, quick writes no program and exits
// with status 1. The caller then runs `go build`, which builds the program or reports the error. If
// the environment variable HYPERPLANE_QUICK has the value "why", quick prints the reason for exit
// status 1.
package main

import (
	"fmt"
	"os"
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) > 2 && args[0] == "table":
		if err = writeTable(args[1], args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "quick:", err)
		}
	case len(args) == 4 && args[0] == "build" && args[2] == "-o":
		err = build(args[1], args[3])
	case len(args) == 2 && args[0] == "check":
		err = checkSources(args[1])
	case len(args) == 3 && args[0] == "imports":
		var t *table
		if t, err = readTable(args[1]); err == nil {
			err = restoreImport(t, args[2])
		}
	default:
		err = fmt.Errorf("invalid arguments: want table TABLE PACKAGE…, build TABLE -o PROGRAM, check TABLE, or imports TABLE FILE")
	}
	if err != nil {
		if os.Getenv("HYPERPLANE_QUICK") == "why" {
			fmt.Fprintln(os.Stderr, "quick:", err)
		}
		os.Exit(1)
	}
}
