package exercises

import (
	"fmt"

	"github.com/janpfeifer/gonb/gonbui"
)

// Hint shows hint n (from 1) in the notebook and returns its markdown. For an n
// that does not exist it says which hints there are.
func (e *Exercise) Hint(n int) string {
	return show(e.hint(n))
}

// Solution shows the reference answer and the worked derivation in the notebook
// and returns the markdown.
func (e *Exercise) Solution() string {
	return show(fmt.Sprintf("## Solution: %s\n\n%s\n\n### In Go\n\n```go\n%s```\n", e.Title, e.Derivation, e.Answer))
}

// show displays markdown in a notebook, and does nothing elsewhere.
func show(markdown string) string {
	if gonbui.IsNotebook {
		gonbui.DisplayMarkdown(markdown)
		gonbui.Sync() // without it the program may end before the kernel has read the pipe
	}
	return markdown
}
