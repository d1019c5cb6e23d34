package nbformat

import (
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/jupytertest"
)

func TestJupyterWritesTheSameBytes(t *testing.T) {
	data, err := sample().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	jupytertest.SameBytes(t, map[string][]byte{"sample.ipynb": data})
}
