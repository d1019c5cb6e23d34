package show

import "testing"

func TestUnicodeText(t *testing.T) {
	for label, want := range map[string]string{
		`$\mathbf{w}^{(2)}$, $w_{(10)}$`: "w⁽²⁾, w₍₁₀₎",
		`$\phi_j = e^{-1/2}$`:            "φⱼ = e^(−1/2)", // there is no raised stroke
		`$\mathbf{w}^*$ and $10^{-9}$`:   "w* and 10⁻⁹",
		"area: |$r$ − $y$|":              "area: |r − y|",
	} {
		if got := unicodeText(label); got != want {
			t.Errorf("%s is %q, want %q", label, got, want)
		}
	}
}
