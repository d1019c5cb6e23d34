package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Ledger collects comparisons and prints them as a table: family, cases, values
// and the worst error, also as a share of its tolerance.
type Ledger struct {
	rows  map[string]*entry
	cases map[string]bool
}

type entry struct {
	cases, values int
	worst, share  float64
	at            string
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger { return &Ledger{map[string]*entry{}, map[string]bool{}} }

// Compare checks got against the reference value of the case under key, at the
// case's own tolerance, and notes the result.
func (l *Ledger) Compare(t *testing.T, c *Case, key string, got ...float64) {
	t.Helper()
	want, err := c.Value(key)
	if err != nil {
		t.Fatal(err)
	}
	tol, ok := c.RTol[key]
	if !ok {
		t.Fatalf("%s: no tolerance for %q", c.ID, key)
	}
	family, _, _ := strings.Cut(c.ID, "/")
	e := l.rows[family]
	if e == nil {
		e = &entry{}
		l.rows[family] = e
	}
	if !l.cases[c.ID] {
		l.cases[c.ID] = true
		e.cases++
	}
	e.values++
	err1 := RelErr(got, want)
	e.worst = max(e.worst, err1)
	if s := err1 / tol; s > e.share {
		e.share, e.at = s, c.ID+" "+key
	}
	if err1 > tol {
		t.Errorf("%s: %s: relative error %.2g, allowed %.2g\n got %v\nwant %v", c.ID, key, err1, tol, got, want)
	}
}

// Log prints the table; it shows with go test -v.
func (l *Ledger) Log(t *testing.T) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-22s %6s %7s %12s %10s  %s\n", "family", "cases", "values", "worst error", "of allowed", "at")
	for _, n := range slices.Sorted(maps.Keys(l.rows)) {
		e := l.rows[n]
		fmt.Fprintf(&b, "%-22s %6d %7d %12.2g %9.1f%%  %s\n", n, e.cases, e.values, e.worst, 100*e.share, e.at)
	}
	t.Log(b.String())
}
