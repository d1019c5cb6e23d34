package echarts

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"testing"
)

// TestProvenance checks that the libraries come from the npm packages: echarts 5.6.0
// (dist/echarts.min.js) and echarts-gl 2.1.0 (dist/echarts-gl.min.js).
func TestProvenance(t *testing.T) {
	for name, lib := range map[string]struct {
		packed []byte
		sha256 string
	}{
		"echarts":    {library, "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1"},
		"echarts-gl": {libraryGL, "d6d60f2165ce3eb1ea360ef62e8490835e0ae2c1e0c1788a772fff918e350842"},
	} {
		r, err := gzip.NewReader(bytes.NewReader(lib.packed))
		if err != nil {
			t.Fatal(name, err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(name, err)
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != lib.sha256 {
			t.Errorf("%s is not the published file: SHA-256 %x", name, sum)
		}
	}
}

// TestScriptCanStandInAPage checks that the script does not contain text that ends its element.
func TestScriptCanStandInAPage(t *testing.T) {
	if s := Script(); strings.Contains(s, "</") || strings.Contains(s, "<!--") {
		t.Error("the script holds what ends or hides an element")
	}
}
