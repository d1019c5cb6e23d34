package verify

import (
	"fmt"
	"html"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Later stands on top of a cell that works with functions which the learner may
// not have written yet:
//
//	%%
//	defer verify.Later("LambdaSquared")
//
// It turns the stub's panic(TODO), and nothing else, into one line that names the
// functions. What the cell had shown until then stays. Any other panic goes on,
// with its own trace. A panic in another goroutine than the cell's cannot be met
// here.
func Later(names ...string) {
	cause := recover()
	switch cause {
	case nil:
	case TODO:
		line(fmt.Sprintf("This cell needs your %s: write your answer first, then run it again.", series(names)))
	default:
		panic(cause) // the stack still holds the frames of the first panic
	}
}

// series is the names with commas, and a word before the last.
func series(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// line shows a line of text on the page, and prints it elsewhere.
func line(text string) {
	if !gonbui.IsNotebook {
		fmt.Println(text)
		return
	}
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML:  "<p>" + html.EscapeString(text) + "</p>\n",
		protocol.MIMETextPlain: text + "\n",
	}})
	gonbui.Sync()
}
