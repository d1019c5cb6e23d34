package quality

import (
	"slices"
	"testing"
	"testing/fstest"
)

func TestParseEquivalents(t *testing.T) {
	const text = `# A comment.
F: a → b
    Because
	of this.
# A comment between.
F: c → d
F: e → f #2
    Both for one reason.

F: g → h

    Nothing stands above.
F: a → b
    Twice.
F: i → j
    # not the reason`
	list, faults := parseEquivalents("x/check_test.go", text)
	var got []string
	for _, q := range list {
		got = append(got, q.name+" | "+q.reason)
	}
	want := []string{"F: a → b | Because of this.", "F: c → d | Both for one reason.", "F: e → f #2 | Both for one reason.", "F: g → h | ", "F: i → j | "}
	if !slices.Equal(got, want) {
		t.Errorf("entries are\n%q\nwant\n%q", got, want)
	}
	wantFaults := []string{
		"x/check_test.go:10: nothing says why this mutant is right; write it below, indented: F: g → h",
		"x/check_test.go:12: a reason without a mutant above it: Nothing stands above.",
		"x/check_test.go:13: this mutant is listed twice: F: a → b",
		"x/check_test.go:14: a reason without a mutant above it: Twice.",
		"x/check_test.go:15: nothing says why this mutant is right; write it below, indented: F: i → j",
	}
	if !slices.Equal(faults, wantFaults) {
		t.Errorf("faults are\n%q\nwant\n%q", faults, wantFaults)
	}
}

func TestNoEquivalents(t *testing.T) {
	if list, faults, err := readEquivalents(fstest.MapFS{}, "x"); len(list)+len(faults) > 0 || err != nil {
		t.Errorf("of no file: %v, %v, %v", list, faults, err)
	}
	file := func(text string) fstest.MapFS { return fstest.MapFS{"x/check_test.go": {Data: []byte(text)}} }
	if list, faults, err := readEquivalents(file("package x_test\n\n// Equivalent mutants\n"), "x"); len(list)+len(faults) > 0 || err != nil {
		t.Errorf("of a file without the comment: %v, %v, %v", list, faults, err)
	}
	if list, faults, err := readEquivalents(file("package x_test\n\n/*\nEquivalent mutants\n\nF: a → b\n    Why.\nF: c → d\n*/\nvar x = 1\n"), "x"); len(list) != 2 || list[0].reason != "Why." || list[0].line != 6 || len(faults) != 1 || err != nil {
		t.Errorf("of two, one without a reason: %+v, %v, %v", list, faults, err)
	}
	if _, _, err := readEquivalents(fstest.MapFS{"x/check_test.go/y": {}}, "x"); err == nil {
		t.Error("no error for a folder of that name")
	}
}
