package judge

import (
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// TestUnwritten: it can be called with its own arguments, and says that nothing was
// attempted.
func TestUnwritten(t *testing.T) {
	defer func() {
		if got := recover(); got != verify.TODO {
			t.Errorf("it panics with %v, want verify.TODO", got)
		}
	}()
	Unwritten[func(x float64, v []int) (int, error)]()(1, nil)
	t.Error("it returned")
}
