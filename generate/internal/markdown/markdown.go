// Package markdown splits a Markdown text into the cells of a notebook. Fenced Go blocks become
// code cells, and all other text becomes Markdown cells.
package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Block is the text of one cell.
type Block struct {
	Code    bool
	Text    string   // Markdown, or Go code without its fences; only code may begin with empty lines
	Line    int      // line number of the first line of Text in the source, from 1
	Tags    []string // for a code block: the words after "go" in the line that opens the block
	Heading string   // text of the heading at which Split began the block, or ""
	Level   int      // level of Heading, or 0 if Heading is ""
}

// Split splits source into blocks. Only fenced blocks at the top level with the language go become
// code. Fenced blocks inside lists or quotations, or in other languages, are text. A heading at the
// top level begins a new block if the heading is not empty and its level is at most `level`. An
// empty Go block is an error. Error messages show `name` as the name of the file.
func Split(name string, source []byte, level int) ([]Block, error) {
	s := splitter{source: source}
	doc := goldmark.DefaultParser().Parse(text.NewReader(source))
	for node := doc.FirstChild(); node != nil; node = node.NextSibling() {
		switch n := node.(type) {
		case *ast.Heading:
			if n.Level <= level && n.Lines().Len() > 0 {
				s.appendText(lineStart(source, n.Lines().At(0).Start))
				s.heading, s.level = strings.TrimSpace(string(n.Lines().Value(source))), n.Level
			}
		case *ast.FencedCodeBlock:
			if string(n.Language(source)) != "go" {
				continue
			}
			open := lineStart(source, n.Info.Segment.Start)
			begin, end := lineEnd(source, open), lineEnd(source, open)
			if n.Lines().Len() > 0 {
				end = n.Lines().At(n.Lines().Len() - 1).Stop
			}
			code := string(n.Lines().Value(source))
			if strings.TrimSpace(code) == "" {
				return nil, fmt.Errorf("%s:%d: the Go block is empty", name, s.line(open))
			}
			s.appendText(open)
			tags := strings.Fields(string(n.Info.Segment.Value(source)))[1:]
			s.blocks = append(s.blocks,
				Block{Code: true, Text: strings.TrimRight(code, " \t\r\n"), Line: s.line(begin), Tags: tags})
			s.from = lineEnd(source, end) // skip the closing fence
		}
	}
	s.appendText(len(source))
	return s.blocks, nil
}

type splitter struct {
	source  []byte
	blocks  []Block
	from    int // offset of the first text that is not in a block yet
	heading string
	level   int
}

// appendText appends a block with the text between the offsets s.from and `end`, without white space
// at its start and end. If the text is only white space, appendText appends nothing.
func (s *splitter) appendText(end int) {
	if s.from < end {
		raw := string(s.source[s.from:end])
		if trimmed := strings.Trim(raw, " \t\r\n"); trimmed != "" {
			at := s.from + strings.Index(raw, trimmed)
			s.blocks = append(s.blocks, Block{Text: trimmed, Line: s.line(at), Heading: s.heading, Level: s.level})
		}
		s.from = end
	}
	s.heading, s.level = "", 0
}

func (s *splitter) line(offset int) int {
	return 1 + bytes.Count(s.source[:offset], []byte("\n"))
}

func lineStart(source []byte, offset int) int {
	return bytes.LastIndexByte(source[:offset], '\n') + 1
}

// lineEnd returns the offset of the first byte after the line that contains the byte at offset.
func lineEnd(source []byte, offset int) int {
	if i := bytes.IndexByte(source[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(source)
}
