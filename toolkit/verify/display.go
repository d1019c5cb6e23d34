package verify

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A screen is a replaceable output of the notebook cell: each call of the method `show` replaces
// the content of the output. Outside a notebook a screen is nil.
type screen struct{ id string }

func newScreen() *screen {
	if !gonbui.IsNotebook {
		return nil
	}
	return &screen{id: "hyperplane-" + gonbui.UniqueId()}
}

func (s *screen) show(r *Report) {
	if s == nil {
		return
	}
	data, err := bundle(r)
	if err != nil {
		fmt.Printf("the report could not be shown: %v\n%s", err, r)
		return
	}
	sendData(data, s.id)
}

// sendData displays data, which maps MIME types to values, and waits until the kernel has received
// the data.
func sendData(data map[protocol.MIMEType]any, id string) {
	gonbui.SendData(&protocol.DisplayData{Data: data, DisplayID: id})
	gonbui.Sync()
}

// bundle returns the report in three forms: HTML for a page, text for a terminal, and JSON for a
// program.
func bundle(r *Report) (map[protocol.MIMEType]any, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, err
	}
	return map[protocol.MIMEType]any{
		protocol.MIMETextHTML:         r.HTML(),
		protocol.MIMETextPlain:        r.String(),
		protocol.MIMEType(ReportMIME): object,
	}, nil
}

// Later handles stubs that the learner has not replaced yet. Defer it at the top of a cell that
// calls such functions:
//
//	%%
//	defer verify.Later("LambdaSquared")
//
// If a stub panics with TODO, the panic does not continue. Instead, Later prints one line with the
// given names of the functions. Output that the cell has already written remains. A panic with any
// other value continues, with its own stack trace. Later cannot recover a panic in another
// goroutine.
func Later(names ...string) {
	cause := recover()
	switch cause {
	case nil:
	case TODO:
		showLine(fmt.Sprintf("This cell needs your %s: write your answer first, then run it again.", joinNames(names)))
	default:
		panic(cause) // panic again with the same value; the trace still contains the frames of the first panic
	}
}

// joinNames joins names with commas, and with "and" before the last name.
func joinNames(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// showLine shows a line of text as an output in a notebook. In other programs it prints the line.
func showLine(text string) {
	if !gonbui.IsNotebook {
		fmt.Println(text)
		return
	}
	sendData(map[protocol.MIMEType]any{
		protocol.MIMETextHTML:  "<p>" + html.EscapeString(text) + "</p>\n",
		protocol.MIMETextPlain: text + "\n",
	}, "")
}
