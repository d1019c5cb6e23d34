package remote

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"
)

const module = "github.com/hyperplane-notebooks/hyperplane/"

// Place returns the place in the learner's code at which a panic occurred. It must be called while
// the panic is being recovered. The place is the innermost stack frame of the learner's code, so
// Place ignores the frames of the Go runtime and of libraries. It also skips the `skip` innermost
// frames of the stack, beginning with its own frame, whatever code they belong to. It returns the
// name of the function and the text of the line, or false if the stack contains no frame of the
// learner's code. If the file cannot be read, the name of the file and the number of the line
// replace the text.
func Place(skip int) (string, bool) {
	pc := make([]uintptr, 256)
	frames := runtime.CallersFrames(pc[:runtime.Callers(skip+1, pc)])
	for {
		f, more := frames.Next()
		if f.Function != "" && isLearner(f.Function) {
			return describe(f), true
		}
		if !more {
			return "", false
		}
	}
}

// isLearner reports whether a function is part of a notebook cell (package main) or of an answer in
// a test (package …_test).
func isLearner(function string) bool {
	pkg := function
	slash := strings.LastIndex(pkg, "/")
	if dot := strings.Index(pkg[slash+1:], "."); dot >= 0 {
		pkg = pkg[:slash+1+dot]
	}
	return pkg == "main" || strings.HasPrefix(pkg, module) && strings.HasSuffix(pkg, "_test")
}

func describe(f runtime.Frame) string {
	name := f.Function[strings.LastIndex(f.Function, "/")+1:]
	if _, after, ok := strings.Cut(name, "."); ok {
		name = after
	}
	if text := lineText(f.File, f.Line); text != "" {
		return fmt.Sprintf("in %s, at the line: %s", name, text)
	}
	return fmt.Sprintf("in %s, %s:%d", name, path.Base(f.File), f.Line)
}

// lineText returns line n of a file, counted from 1, without the spaces around it. If it cannot read
// the line, it returns "".
func lineText(file string, n int) string {
	text, _ := os.ReadFile(file)
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
