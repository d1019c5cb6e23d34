package quality

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	s := &Summary{[]*Result{
		{ID: "prml-4.1", Right: Count{4, 4}, Rejected: Count{5, 5}, Own: Count{5, 5}, Made: 10, Judged: 10, Killed: 8, Equivalent: 2, Seconds: 0.0123, Peak: 12.3e6,
			Fates: []Fate{{"F: a → b", Killed, "Wrong sign"}}},
		{ID: "alpaydin-10.1", Right: Count{3, 4}, Rejected: Count{4, 5}, Own: Count{3, 5}, Made: 300, Judged: 200, Killed: 199, Seconds: 1.5, Peak: 150e6,
			Faults: []string{"1 of 200 mutants survive unexplained"}, Fates: []Fate{{"F: a → b", Survived, ""}, {"F: c → d", Killed, "Crashed panic"}}},
	}}
	var b strings.Builder
	WriteHead(&b)
	for _, r := range s.Exercises {
		r.WriteRow(&b)
	}
	s.WriteFaults(&b, false)
	s.WriteTotals(&b)
	const want = `                    right     wrong    with own   mutants equivalent  time per   memory
exercise         accepted  rejected     message    killed  explained     check         
prml-4.1              4/4       5/5         5/5       8/8          2   12.3 ms    12 MB
alpaydin-10.1         3/4       4/5         3/5   199/200          0 1500.0 ms   150 MB  (200 of 300 mutants)  RED

alpaydin-10.1
  1 of 200 mutants survive unexplained
    F: a → b
2 exercises, 1 red: right forms accepted 7/8, wrong answers rejected 9/10, with their own message 8/10, mutants killed 207/208 (2 equivalent, explained); the longest check takes 1500 ms, the largest 150 MB
`
	if b.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", &b, want)
	}
	b.Reset()
	s.WriteFaults(&b, true)
	const verbose = `
prml-4.1
    killed     F: a → b  (Wrong sign)

alpaydin-10.1
  1 of 200 mutants survive unexplained
    survived   F: a → b
    killed     F: c → d  (Crashed panic)
`
	if b.String() != verbose {
		t.Errorf("verbose is\n%s\nwant\n%s", &b, verbose)
	}
}
