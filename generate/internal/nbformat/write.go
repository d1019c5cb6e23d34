package nbformat

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// Marshal returns the notebook's file as Jupyter writes it. The JSON is indented by one space, with
// sorted keys, texts as lists of lines, no unnecessary escapes, and a final newline. Marshal
// returns an error for an invalid notebook (see Validate) and for metadata or outputs that JSON cannot
// represent.
func (nb *Notebook) Marshal() ([]byte, error) {
	if err := nb.Validate(); err != nil {
		return nil, err
	}
	cells := make([]any, len(nb.Cells))
	for i, c := range nb.Cells {
		cells[i] = c.tree()
	}
	return writeJSON(map[string]any{
		"cells":          cells,
		"metadata":       orEmpty(nb.Metadata),
		"nbformat":       Major,
		"nbformat_minor": Minor,
	})
}

// WriteFile writes the notebook to a file. See [toolkit.WriteFile].
func (nb *Notebook) WriteFile(path string) error {
	b, err := nb.Marshal()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return toolkit.WriteFile(path, b)
}

// tree returns the cell as a JSON object.
func (c *Cell) tree() map[string]any {
	t := map[string]any{
		"cell_type": string(c.Type),
		"id":        c.ID,
		"metadata":  orEmpty(c.Metadata),
		"source":    splitLines(c.Source),
	}
	if c.Attachments != nil {
		a := map[string]any{}
		for name, bundle := range c.Attachments {
			a[name] = splitBundle(bundle)
		}
		t["attachments"] = a
	}
	if c.Type == Code {
		t["execution_count"] = nil
		if c.ExecutionCount != nil {
			t["execution_count"] = *c.ExecutionCount
		}
		outputs := make([]any, len(c.Outputs))
		for i, o := range c.Outputs {
			outputs[i] = o.split()
		}
		t["outputs"] = outputs
	}
	return t
}

// split returns a copy of the output. In the copy, the text of a stream, and the texts that splitBundle
// splits, are lists of lines.
func (o Output) split() map[string]any {
	t := map[string]any{}
	for key, v := range o {
		switch text, isText := v.(string); {
		case key == "data":
			t[key] = splitBundle(v)
		case key == "text" && isText && o.Type() == "stream":
			t[key] = splitLines(text)
		default:
			t[key] = v
		}
	}
	return t
}

// splitBundle returns a copy of a MIME bundle. In the copy, texts are lists of lines, but only the texts
// that Jupyter also stores in this way.
func splitBundle(v any) any {
	bundle, ok := v.(map[string]any)
	if !ok {
		return v
	}
	t := map[string]any{}
	for mime, content := range bundle {
		text, isText := content.(string)
		if isText && (strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml") {
			t[mime] = splitLines(text)
		} else {
			t[mime] = content
		}
	}
	return t
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// lineEnds lists the characters at which Python's method splitlines ends a line. Jupyter uses this
// method to split texts.
const lineEnds = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// splitLines splits s into lines, each with its line end. For an empty s, it returns an empty list.
func splitLines(s string) []any {
	lines := []any{}
	for s != "" {
		i := strings.IndexAny(s, lineEnds)
		if i < 0 {
			return append(lines, s)
		}
		end := i + 1
		switch {
		case strings.HasPrefix(s[i:], "\r\n"):
			end = i + 2
		case s[i] >= 0x80: // this separator has more than one byte: add its other bytes
			for end < len(s) && s[end]&0xC0 == 0x80 {
				end++
			}
		}
		lines = append(lines, s[:end])
		s = s[end:]
	}
	return lines
}

// unescaped undoes three escapes that encoding/json writes, but Python does not write. The
// first pair of strings leaves an escaped backslash unchanged. Without this pair, the second backslash
// could be mistaken for the beginning of one of the three escapes.
var unescaped = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\ufffd")

// writeJSON returns v as JSON in the form of Python's json.dumps(indent=1, sort_keys=True,
// ensure_ascii=False).
func writeJSON(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("notebook: cannot be written as JSON: %w", err)
	}
	return []byte(unescaped.Replace(b.String())), nil
}
