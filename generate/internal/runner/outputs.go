package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// gonbFolder is the name, new for every kernel, of the folder and the module in
// which GoNB compiles a cell.
var gonbFolder = regexp.MustCompile(`\bgonb_[0-9a-f]{8}\b`)

// read decodes the outputs of a cell as they go into a notebook: pieces of a
// stream joined, and the names that differ from run to run replaced.
func (s *session) read(text json.RawMessage) ([]nbformat.Output, error) {
	text = bytes.ReplaceAll(text, []byte(s.folder+"/tmp"), []byte("/tmp"))
	text = gonbFolder.ReplaceAll(text, []byte("gonb"))
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var outputs []nbformat.Output
	if err := d.Decode(&outputs); err != nil {
		return nil, fmt.Errorf("runner.py: %w", err)
	}
	return joinStreams(outputs), nil
}

// joinStreams makes one output of consecutive pieces of the same stream: how a
// program's text is cut into messages is chance.
func joinStreams(outputs []nbformat.Output) []nbformat.Output {
	joined := outputs[:0:0]
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			joined[len(joined)-1]["text"] = text.String()
			text.Reset()
		}
	}
	last := ""
	for _, o := range outputs {
		name, piece := o.Stream()
		if name == "" || name != last {
			flush()
			joined = append(joined, o)
		}
		if last = name; name != "" {
			text.WriteString(piece)
		}
	}
	flush()
	return joined
}
