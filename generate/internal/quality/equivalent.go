package quality

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// equivalentFile is the file of an exercise that may contain a comment with a list of equivalent
// mutants. The comment begins with equivalentMark. It lists mutants that pass the check because
// they are right answers:
//
//	/*
//	Equivalent mutants
//
//	Fit: top := floats.Max(a) → top := floats.Min(a)
//	    Why this is right all the same, on one indented line or more.
//	*/
//
// Names on consecutive lines share the reason below them.
const (
	equivalentFile = "check_test.go"
	equivalentMark = "/*\nEquivalent mutants\n"
)

// An equivalent is an entry of the list: a mutant that is right, and the reason.
type equivalent struct {
	name, reason string
	file         string
	line         int
}

// errorf returns a fault of the entry as text that begins with the file and the line of the entry.
func (q equivalent) errorf(format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", q.file, q.line, fmt.Sprintf(format, args...))
}

// readEquivalents reads the list of equivalent mutants of an exercise. A missing file counts as an
// empty list. An invalid entry is a fault of the exercise, not an error.
func readEquivalents(module fs.FS, dir string) (list []equivalent, faults []string, err error) {
	name := path.Join(dir, equivalentFile)
	data, err := fs.ReadFile(module, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	head, rest, found := strings.Cut(string(data), equivalentMark)
	if !found {
		return nil, nil, nil
	}
	text, _, _ := strings.Cut(rest, "*/")
	list, faults = parseEquivalents(name, strings.Repeat("\n", strings.Count(head+equivalentMark, "\n"))+text)
	return list, faults, nil
}

func parseEquivalents(file, text string) (list []equivalent, faults []string) {
	var open []equivalent // names whose reason has not been read yet
	reason := ""
	finish := func() {
		for _, q := range open {
			if q.reason = reason; reason == "" {
				faults = append(faults,
					q.errorf("the reason why this mutant is right is missing; write it below, indented: %s", q.name))
			}
			list = append(list, q)
		}
		open, reason = nil, ""
	}
	seen := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		q := equivalent{name: strings.TrimSpace(line), file: file, line: i + 1}
		switch indented := strings.TrimLeft(line, " \t") != line; {
		case q.name == "":
			finish()
		case strings.HasPrefix(q.name, "#"):
		case indented && len(open) == 0:
			faults = append(faults, q.errorf("a reason without a mutant above it: %s", q.name))
		case indented:
			reason = strings.TrimSpace(reason + " " + q.name)
		case seen[q.name]:
			faults = append(faults, q.errorf("this mutant is listed twice: %s", q.name))
		default:
			if reason != "" {
				finish()
			}
			seen[q.name] = true
			open = append(open, q)
		}
	}
	finish()
	return list, faults
}
