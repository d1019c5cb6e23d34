package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file contains the gate that tests whether comments, messages and documents are written in plain
// English, and whether names say what they name.

// unidiomatic matches phrases that no native speaker would write.
var unidiomatic = regexp.MustCompile(`(?i)\b(?:(?:is|are|was|were) (?-i:none)\b|(?:that|those) of\b|needed (?:is|are)\b|what (?:is|are) no\b|who hands\b|anew\b|another one\b|that there (?:is|are) no\b|no matter of\b|mends?\b|mended\b)`)

// vagueWords lists words that may not occur in the name of a declared thing. Such a name does not say
// what the thing is.
var vagueWords = strings.Fields("ask asks asked asking duel duels glimpse laid lay mend mended settled sharp told way ways")

// nameWord matches the words of a name such as largestError.
var nameWord = regexp.MustCompile(`[A-Z]?[a-z]+`)

// maxSentenceWords is the largest number of words that a sentence of a comment may have.
const maxSentenceWords = 40

// allowedFile is the file that lists how many unidiomatic phrases, long sentences and vague names each file may
// still contain. The numbers may only decrease over time.
const allowedFile = "docker/gates/testdata/language.txt"

// A place is an unidiomatic phrase, a long sentence or a vague name. The field `line` is the line of the
// phrase or the name, or the first line of the comment that contains the sentence. The field `text`
// contains the phrase with some text around it, or says how long the sentence is or what the name is.
type place struct {
	line int
	text string
}

// checkLanguage returns an error if a file has more unidiomatic phrases, long sentences and vague names than
// allowedFile lists. It also returns an error if a file has fewer, so that somebody lowers the
// number in allowedFile.
func checkLanguage(s *session) error {
	found, err := s.unidiomaticPlaces()
	if err != nil {
		return err
	}
	limits, err := readAllowed(filepath.Join(s.dir, allowedFile))
	if err != nil {
		return err
	}
	total := 0
	for _, file := range slices.Sorted(maps.Keys(found)) {
		places := found[file]
		total += len(places)
		if len(places) <= limits[file] {
			continue
		}
		err = errors.Join(err, fmt.Errorf("%s has %d places that are not plain English, allowed %d:%s", file, len(places), limits[file], describe(places)))
	}
	for _, file := range slices.Sorted(maps.Keys(limits)) {
		if n := len(found[file]); n < limits[file] {
			err = errors.Join(err, fmt.Errorf("%s has %d places that are not plain English, but %s allows %d: lower this limit", file, n, allowedFile, limits[file]))
		}
	}
	fmt.Fprintf(s.w, "%d places in %d files are not plain English yet\n", total, len(found))
	return err
}

func describe(places []place) string {
	var b strings.Builder
	for _, p := range places {
		fmt.Fprintf(&b, "\n\tline %d: %s", p.line, p.text)
	}
	return b.String()
}

// readAllowed returns the allowed number of places for each file. Each line of the file at `path`
// contains a number and a file name, except for empty lines and lines that begin with "# ".
func readAllowed(path string) (map[string]int, error) {
	limits := map[string]int{}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // if the file does not exist, no place is allowed
		return limits, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		n, err := strconv.Atoi(fields[0])
		if err != nil || n < 1 || len(fields) != 2 {
			return nil, fmt.Errorf("invalid line %q in %s: want a count above 0 and a file", strings.TrimSpace(line), path)
		}
		limits[fields[1]] = n
	}
	return limits, nil
}

// unidiomaticPlaces lists the places that are not plain English in every Go file, document, shell script
// and Python script. It omits test data, and the folders that `files` omits. It omits generated Go
// files and the folder notebooks, because their texts come from other files. It also omits this file,
// because this file contains the phrases.
func (s *session) unidiomaticPlaces() (map[string][]place, error) {
	list, err := s.files(func(path string) bool {
		return slices.Contains([]string{".go", ".md", ".sh", ".py"}, filepath.Ext(path)) && !strings.Contains(path, "testdata")
	})
	found := map[string][]place{}
	for _, file := range list {
		if strings.HasPrefix(file, "notebooks/") || strings.HasSuffix(file, "docker/gates/language.go") {
			continue
		}
		text, e := os.ReadFile(filepath.Join(s.dir, file))
		if e != nil {
			return nil, e
		}
		var places []place
		if filepath.Ext(file) == ".go" {
			if places, e = goPlaces(text); e != nil {
				return nil, fmt.Errorf("%s: %w", file, e)
			}
		} else {
			places = textPlaces(string(text), filepath.Ext(file) == ".md")
		}
		if len(places) > 0 {
			found[filepath.ToSlash(file)] = places
		}
	}
	return found, err
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// goPlaces lists the places that are not plain English in the comments, strings and declared names of a
// Go file. For a generated file the list is empty.
func goPlaces(text []byte) (places []place, err error) {
	if generated.Match(text) {
		return nil, nil
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, group := range f.Comments {
		first := set.Position(group.Pos()).Line
		text := group.Text()
		places = append(places, matchPlaces(first, text)...)
		for _, paragraph := range strings.Split(text, "\n\n") {
			if strings.HasPrefix(paragraph, "\t") { // the paragraph is a formula or a listing
				continue
			}
			for sentence := range strings.SplitSeq(strings.ReplaceAll(paragraph, "\n", " "), ". ") {
				if n := len(strings.Fields(sentence)); n > maxSentenceWords && !strings.ContainsAny(sentence, "\t|") {
					places = append(places, place{first, fmt.Sprintf("a sentence of %d words, want at most %d", n, maxSentenceWords)})
				}
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			places = append(places, matchPlaces(set.Position(lit.Pos()).Line, lit.Value)...)
		}
		for _, name := range declaredNames(n) {
			if isVague(name.Name) {
				places = append(places, place{set.Position(name.Pos()).Line, "the vague name " + name.Name})
			}
		}
		return true
	})
	slices.SortStableFunc(places, func(a, b place) int { return a.line - b.line })
	return places, nil
}

// declaredNames returns the names that the node n declares.
func declaredNames(n ast.Node) (names []*ast.Ident) {
	var list []ast.Expr
	switch n := n.(type) {
	case *ast.FuncDecl:
		return []*ast.Ident{n.Name}
	case *ast.TypeSpec:
		return []*ast.Ident{n.Name}
	case *ast.ValueSpec:
		return n.Names
	case *ast.Field:
		return n.Names
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			list = n.Lhs
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			list = []ast.Expr{n.Key, n.Value}
		}
	}
	for _, e := range list {
		if name, ok := e.(*ast.Ident); ok {
			names = append(names, name)
		}
	}
	return names
}

func isVague(name string) bool {
	return slices.ContainsFunc(nameWord.FindAllString(name, -1), func(word string) bool {
		return slices.Contains(vagueWords, strings.ToLower(word))
	})
}

// textPlaces lists the unidiomatic phrases in a document or a script. In a document it omits fenced
// code.
func textPlaces(text string, markdown bool) (places []place) {
	fenced, line := false, 0
	for content := range strings.Lines(text) {
		line++
		if markdown && strings.HasPrefix(strings.TrimSpace(content), "```") {
			fenced = !fenced
		}
		if !fenced {
			places = append(places, matchPlaces(line, strings.TrimSuffix(content, "\n"))...)
		}
	}
	return places
}

// matchPlaces lists the places in a text that match `unidiomatic`. The argument `first` is the
// number of the first line of the text.
func matchPlaces(first int, text string) (places []place) {
	for _, at := range unidiomatic.FindAllStringIndex(strings.ReplaceAll(text, "\n", " "), -1) {
		line := first + strings.Count(text[:at[0]], "\n")
		from, to := max(0, at[0]-25), min(len(text), at[1]+25)
		places = append(places, place{line, strconv.Quote(strings.ToValidUTF8(strings.ReplaceAll(text[from:to], "\n", " "), ""))})
	}
	return places
}
