package instance

import "testing"

func TestAbove(t *testing.T) {
	for _, c := range []struct {
		gains []float64
		want  bool
	}{
		{[]float64{0.1, 0.2, 0.3, 0.2}, true},
		{[]float64{0.1, -0.2, 0.3, -0.2}, false},
		{[]float64{-0.1, -0.2, -0.3, -0.2}, false},
		{[]float64{0.1, 0.2, 0.1, 90, 0.2, 0.1}, true}, // one that is large does not drown the others
		{[]float64{0.1, 0.2, 0.1, -90, 0.2, 0.1}, false},
	} {
		if got := Above(c.gains, 2); got != c.want {
			t.Errorf("%v: %t", c.gains, got)
		}
	}
}
