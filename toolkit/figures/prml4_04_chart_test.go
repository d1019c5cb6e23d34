package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// pulled says whether least squares turns more with every position, from nothing,
// and logistic regression nowhere by 3° or more.
func pulled(squares, logistic []float64) error {
	if squares[0] != 0 || logistic[0] != 0 {
		return fmt.Errorf("without outliers the boundaries turn by %v° and %v°", squares[0], logistic[0])
	}
	for i := range squares {
		if !(logistic[i] < 3) {
			return fmt.Errorf("position %d turns logistic regression by %v°", i, logistic[i])
		}
		if i > 0 && !(squares[i] > squares[i-1]) {
			return fmt.Errorf("position %d turns least squares by %v°, the one before by %v°", i, squares[i], squares[i-1])
		}
	}
	return nil
}

func TestPRML4x4ChartEveryNumber(t *testing.T) {
	c := must(PRML4x4Chart(PRML4x4Options{}))(t)
	frames, _ := pageOf(t, c)
	o := PRML4x4Options{}.filled()
	counts, start := outlierCounts(o.Outliers)
	if len(frames) != 21 || len(counts) != 21 || counts[0] != 0 || counts[20] != 20 || counts[start] != 8 {
		t.Fatalf("%d frames, outliers %v, start %d", len(frames), counts, start)
	}
	p := must(newPull(o, 20))(t)
	var squares, logistic []float64
	for i, n := range counts {
		fig := must(p.live(n))(t)
		d := fig.Data()
		ls, lg := value(d, "turn.least squares"), value(d, "turn.logistic")
		squares, logistic = append(squares, ls), append(logistic, lg)
		if x, _ := d.Column("b.points.x"); len(x) != 100+n {
			t.Errorf("%d outliers: %d points", n, len(x))
		}
		// The turns are those of the drawn lines, and the page says them.
		if a, b := angle(d, "a.least squares", "b.least squares"), angle(d, "a.logistic regression", "b.logistic regression"); math.Abs(a-ls) > 1e-4 || math.Abs(b-lg) > 1e-4 {
			t.Errorf("%d outliers: the lines turn by %v° and %v°, the numbers say %v° and %v°", n, a, b, ls, lg)
		}
		if title := fmt.Sprintf("least squares turns by %.1f°, logistic regression by %.1f°", ls, lg); !frames[i].says(title) {
			t.Errorf("%d outliers: the titles are %q, want %q", n, frames[i].titles, title)
		}
		// A position is the printed figure of that many outliers.
		if n == 1 || n == 8 || n == 20 {
			printed, err := PRML4x4(PRML4x4Options{Outliers: n})
			if err != nil || value(printed.Data(), "turn.least squares") != ls || value(printed.Data(), "turn.logistic") != lg {
				t.Errorf("%d outliers: the printed figure turns otherwise, %v", n, err)
			}
		}
	}
	if err := pulled(squares, logistic); err != nil {
		t.Error(err)
	}
	// The property can fail: for the other order, and for the other model.
	reversed := slices.Clone(squares)
	slices.Reverse(reversed[1:])
	if pulled(reversed, logistic) == nil || pulled(logistic, squares) == nil {
		t.Error("the property holds for wrong positions, or for the other model")
	}
}

func TestPRML4x4ChartOptions(t *testing.T) {
	// More than twenty: the slider ends there.
	counts, start := outlierCounts(50)
	if len(counts) != 21 || counts[0] != 0 || start != 20 || counts[start] != 50 || !slices.IsSorted(counts) {
		t.Errorf("counts %v, start %d", counts, start)
	}
	for name, o := range map[string]PRML4x4Options{"negative outliers": {Outliers: -1}, "negative N": {N: -1}} {
		if _, err := PRML4x4Chart(o); err == nil || !strings.HasPrefix(err.Error(), "figures: PRML 4.4: ") || !strings.Contains(err.Error(), "-1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
