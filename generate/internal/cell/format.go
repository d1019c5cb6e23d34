package cell

import (
	"errors"
	"fmt"
	"go/format"
	"go/scanner"
	"regexp"
	"slices"
	"strings"
)

// Format returns a cell as gofmt formats Go: the declarations above %% and the statements below it.
// Commands to the kernel stay unchanged. The error for invalid Go states the line in the cell.
func Format(source string) (string, error) {
	lines := strings.Split(source, "\n")
	at := slices.IndexFunc(lines, isMain)
	if at < 0 {
		return formatted(source, 1)
	}
	var out []string
	if at > 0 {
		declarations, err := formatted(strings.Join(lines[:at], "\n"), 1)
		if err != nil {
			return "", err
		}
		out = append(out, declarations)
	}
	statements, err := formatted(strings.Join(lines[at+1:], "\n"), at+2)
	return strings.Join(append(out, strings.TrimSpace(lines[at]), statements), "\n"), err
}

// command matches a line that the kernel runs.
var command = regexp.MustCompile(`(?m)^[ \t]*[%!].*$`)

// masked converts a command to a comment that gofmt does not change.
const masked = "//gonb:x"

// formatted formats the part of a cell that begins at the given line.
func formatted(source string, first int) (string, error) {
	text, err := format.Source([]byte(source))
	if err == nil {
		return string(text), nil
	}
	without := command.ReplaceAllStringFunc(source, func(line string) string { return masked + line })
	if text, err := format.Source([]byte(without)); err == nil {
		return strings.ReplaceAll(string(text), masked, ""), nil
	}
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) && len(list) > 0 {
		line := min(list[0].Pos.Line, 1+strings.Count(source, "\n")) // format.Source adds lines at the end
		err = fmt.Errorf("line %d: %s", first+max(line, 1)-1, list[0].Msg)
	}
	return "", err
}
