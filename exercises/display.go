package exercises

import (
	"html"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// show displays markdown in a notebook, and does nothing elsewhere.
func show(markdown string) string {
	if gonbui.IsNotebook {
		gonbui.DisplayMarkdown(markdown)
		gonbui.Sync() // without it the program may end before the kernel has read the pipe
	}
	return markdown
}

// display shows a line in a notebook. A test replaces it.
var display = func(line string) { showBoth("<p>"+html.EscapeString(line)+"</p>\n", line+"\n") }

// showBoth displays what has a form for the page and one for a terminal.
func showBoth(page, text string) {
	if gonbui.IsNotebook {
		gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
			protocol.MIMETextHTML:  page,
			protocol.MIMETextPlain: text,
		}})
		gonbui.Sync()
	}
}
