package verify

import (
	"encoding/gob"
	"encoding/json"
	"fmt"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

func init() {
	// A type that gob does not know breaks the kernel's pipe for the rest of the cell.
	gob.Register(map[string]any{})
	gob.Register([]any{})
}

// A screen is one output of the cell, updated in place; outside a notebook it is
// nothing.
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
	gonbui.SendData(&protocol.DisplayData{Data: data, DisplayID: s.id})
	gonbui.Sync() // what is judged must be on the page before the next part can end the program
}

// bundle is the report in its three forms: for the page, for a terminal, for a
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
