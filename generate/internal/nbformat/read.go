package nbformat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// MaxSize is the maximum size of a notebook file in bytes.
const MaxSize = 64 << 20

// ReadFile reads the notebook in a file. Errors name the file. If an error wraps an [fs.PathError],
// the file cannot be read, is not a regular file, or is larger than MaxSize.
func ReadFile(path string) (*Notebook, error) {
	data, err := readRegular(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// readRegular reads a regular file of at most MaxSize bytes. It rejects files that are not regular,
// because reading a pipe or a device may never end.
func readRegular(path string) ([]byte, error) {
	refuse := func(format string, args ...any) ([]byte, error) {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf(format, args...)}
	}
	// Check the file before OpenFile, because OpenFile can activate a device. A pipe may replace the file
	// after this check. With the flag O_NONBLOCK, OpenFile does not wait for a writer of this pipe.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		if _, err := os.ReadDir(path); err != nil {
			return nil, err
		}
		return refuse("a folder, not a notebook")
	case !info.Mode().IsRegular():
		return refuse("not a regular file (%v)", info.Mode().Type())
	case info.Size() > MaxSize:
		return refuse("the file has %d bytes, more than a notebook may have (%d)", info.Size(), MaxSize)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Limit the size again, because the file may have grown, and files in /proc report size 0.
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		return refuse("the file has more bytes than a notebook may have (%d)", MaxSize)
	}
	return data, err
}

// Parse reads a notebook of format 4.0 to 4.5. Error messages show `name` as the name of the file. An
// error states what is wrong, for example invalid JSON (with the line), a different format version, or
// a malformed cell. Cells in notebooks of format 4.0 to 4.4 have no ids. Parse gives these cells the
// ids cell-1, cell-2, …, and the result is a 4.5 notebook.
func Parse(name string, data []byte) (*Notebook, error) {
	tree, err := decode(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, fmt.Errorf("%s: not a notebook: %w", name, err)
	}
	nb, err := build(tree)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return nb, nil
}

// decode reads one JSON object. If more text follows the object, decode returns an error.
func decode(data []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("the file is empty")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
			return nil, fmt.Errorf("invalid JSON at line %d: %w", line, err)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, errors.New("the JSON ends too early (the file may be incomplete)")
		}
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		line := 1 + bytes.Count(data[:d.InputOffset()], []byte("\n"))
		return nil, fmt.Errorf("more text follows the JSON at line %d", line)
	}
	tree, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("found %s, want a JSON object", kind(v))
	}
	return tree, nil
}

func build(tree map[string]any) (*Notebook, error) {
	var err error
	major, minor := takeVersion(tree, "nbformat", &err), takeVersion(tree, "nbformat_minor", &err)
	if err == nil && (major != Major || minor > Minor) {
		return nil, fmt.Errorf("found notebook format %d.%d, want 4.0 to 4.5 (open it in Jupyter and save it again)", major,
			minor)
	}
	nb := &Notebook{Metadata: takeKey[map[string]any](tree, "metadata", "an object", &err)}
	for i, v := range takeKey[[]any](tree, "cells", "a list", &err) {
		c, err := buildCell(v)
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, err)
		}
		if minor < Minor {
			c.ID = fmt.Sprintf("cell-%d", i+1)
		}
		nb.Cells = append(nb.Cells, c)
	}
	if err != nil {
		return nil, err
	}
	return nb, nb.Validate()
}

func buildCell(v any) (*Cell, error) {
	t, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("found %s, want an object", kind(v))
	}
	c := &Cell{}
	typ, _ := t["cell_type"].(string)
	c.Type = CellType(typ)
	c.ID, _ = t["id"].(string)
	var err error
	c.Metadata = takeKey[map[string]any](t, "metadata", "an object", &err)
	if c.Source, ok = joinLines(t["source"]); !ok && err == nil {
		return nil, fmt.Errorf("source: found %s, want a text or a list of lines", describeFound(t, "source"))
	}
	c.Attachments, _ = t["attachments"].(map[string]any)
	for _, bundle := range c.Attachments {
		joinBundle(bundle)
	}
	if n, ok := t["execution_count"].(json.Number); ok {
		c.ExecutionCount = new(whole(n, "execution_count", &err))
	}
	if _, ok := t["outputs"]; ok || c.Type == Code {
		for j, v := range takeKey[[]any](t, "outputs", "a list", &err) {
			o, ok := v.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("output %d: found %s, want an object", j+1, kind(v))
			}
			joinBundle(o["data"])
			if text, ok := joinLines(o["text"]); ok {
				o["text"] = text
			}
			c.Outputs = append(c.Outputs, o)
		}
	}
	return c, err
}

// takeKey returns the value of a key, which must have the type T. If the key is missing or the value has
// a different type, takeKey returns the zero value of T. In this case it also stores an error in *err,
// unless *err already contains an error. In the error, `want` is the description of T.
func takeKey[T any](tree map[string]any, key, want string, err *error) T {
	v, ok := tree[key].(T)
	if !ok && *err == nil {
		*err = fmt.Errorf("%s: found %s, want %s", key, describeFound(tree, key), want)
	}
	return v
}

// takeVersion returns the version number that is the value of a top-level key. Like takeKey, it stores
// an error in *err if the value is missing or not a whole number.
func takeVersion(tree map[string]any, key string, err *error) int {
	return whole(takeKey[json.Number](tree, key, "a number (is this a notebook?)", err), key, err)
}

func whole(n json.Number, key string, err *error) int {
	i, wrong := n.Int64()
	if wrong != nil && *err == nil {
		*err = fmt.Errorf("%s: found %s, want a whole number", key, n)
	}
	return int(i)
}

// joinLines returns a text that is stored as a string or as a list of lines. If v is neither a
// string nor a list of lines, joinLines returns false.
func joinLines(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []any:
		var b strings.Builder
		for _, line := range v {
			s, ok := line.(string)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	}
	return "", false
}

// joinBundle joins the texts of a MIME bundle that are stored as lists of lines. It does not change
// the data of JSON types, because these data may really be lists.
func joinBundle(v any) {
	bundle, _ := v.(map[string]any)
	for mime, content := range bundle {
		if mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json") {
			continue
		}
		if text, ok := joinLines(content); ok {
			bundle[mime] = text
		}
	}
}

// describeFound describes the value of a key for error messages.
func describeFound(tree map[string]any, key string) string {
	if v, ok := tree[key]; ok {
		return kind(v)
	}
	return "nothing"
}

func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case json.Number:
		return "the number " + v.String()
	case bool:
		return fmt.Sprint(v)
	case []any:
		return "a list"
	default:
		return "an object"
	}
}
