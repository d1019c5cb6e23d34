package nbformat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Marshal returns the notebook's file as Jupyter writes it: indented by one
// space, keys sorted, sources and texts as lists of lines, no character escaped
// that JSON allows, a newline at the end. It returns an error for a notebook that
// Validate refuses, and for metadata that JSON cannot hold.
func (nb *Notebook) Marshal() ([]byte, error) {
	if err := nb.Validate(); err != nil {
		return nil, err
	}
	cells := make([]any, len(nb.Cells))
	for i, c := range nb.Cells {
		cells[i] = c.tree()
	}
	tree := map[string]any{
		"cells":          cells,
		"metadata":       orEmpty(nb.Metadata),
		"nbformat":       Major,
		"nbformat_minor": Minor,
	}
	var b bytes.Buffer
	if err := writeJSON(&b, tree, 0); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// tree is the cell as its JSON object.
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

// split is the output with its texts as lists of lines.
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

// splitBundle splits the texts of a MIME bundle that Jupyter splits.
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

// lineEnds are the characters at which Python's splitlines, and so Jupyter,
// ends a line.
const lineEnds = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// splitLines splits s into lines that keep their ends. "" has no lines.
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
		case s[i] >= 0x80: // a separator of more than one byte
			for end < len(s) && s[end]&0xC0 == 0x80 {
				end++
			}
		}
		lines = append(lines, s[:end])
		s = s[end:]
	}
	return lines
}

// writeJSON writes v as Python's json.dumps(indent=1, sort_keys=True,
// ensure_ascii=False) does. encoding/json cannot: it escapes U+2028 and U+2029
// always.
func writeJSON(b *bytes.Buffer, v any, depth int) error {
	switch v := v.(type) {
	case string:
		writeString(b, v)
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys) // UTF-8 order is the code point order of Python
		return writeNested(b, "{", "}", len(keys), depth, func(i int) error {
			writeString(b, keys[i])
			b.WriteString(": ")
			return writeJSON(b, v[keys[i]], depth+1)
		})
	case []any:
		return writeNested(b, "[", "]", len(v), depth, func(i int) error {
			return writeJSON(b, v[i], depth+1)
		})
	case []string:
		return writeNested(b, "[", "]", len(v), depth, func(i int) error {
			writeString(b, v[i])
			return nil
		})
	case nil, bool, int, float64, json.Number:
		text, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("notebook: cannot write %v as JSON: %w", v, err)
		}
		b.Write(text)
	default:
		return fmt.Errorf("notebook: cannot write a %T; use string, int, float64, bool, nil, []any, []string or map[string]any", v)
	}
	return nil
}

func writeNested(b *bytes.Buffer, open, end string, n, depth int, item func(i int) error) error {
	b.WriteString(open)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		newLine(b, depth+1)
		if err := item(i); err != nil {
			return err
		}
	}
	if n > 0 {
		newLine(b, depth)
	}
	b.WriteString(end)
	return nil
}

func newLine(b *bytes.Buffer, depth int) {
	b.WriteByte('\n')
	for range depth {
		b.WriteByte(' ')
	}
}

func writeString(b *bytes.Buffer, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < 0x20:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
