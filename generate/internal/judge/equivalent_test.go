package judge

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
	list, faults := parseEquivalents("x/equivalent.txt", text)
	var got []string
	for _, q := range list {
		got = append(got, q.name+" | "+q.reason)
	}
	want := []string{"F: a → b | Because of this.", "F: c → d | Both for one reason.", "F: e → f #2 | Both for one reason.", "F: g → h | ", "F: i → j | "}
	if !slices.Equal(got, want) {
		t.Errorf("entries are\n%q\nwant\n%q", got, want)
	}
	wantFaults := []string{
		"x/equivalent.txt:10: nothing says why this mutant is right; write it below, indented: F: g → h",
		"x/equivalent.txt:12: a reason without a mutant above it: Nothing stands above.",
		"x/equivalent.txt:13: this mutant is listed twice: F: a → b",
		"x/equivalent.txt:14: a reason without a mutant above it: Twice.",
		"x/equivalent.txt:15: nothing says why this mutant is right; write it below, indented: F: i → j",
	}
	if !slices.Equal(faults, wantFaults) {
		t.Errorf("faults are\n%q\nwant\n%q", faults, wantFaults)
	}
}

func TestNoEquivalents(t *testing.T) {
	if list, faults, err := readEquivalents(fstest.MapFS{}, "x"); len(list)+len(faults) > 0 || err != nil {
		t.Errorf("of no file: %v, %v, %v", list, faults, err)
	}
	if _, _, err := readEquivalents(fstest.MapFS{"x/equivalent.txt/y": {}}, "x"); err == nil {
		t.Error("no error for a folder of that name")
	}
}
