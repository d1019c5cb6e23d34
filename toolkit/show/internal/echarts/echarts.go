// Package echarts contains the chart library for interactive charts and the script that puts charts
// on a page. The library is as published on npm (echarts 5.6.0, echarts-gl 2.1.0: dist/*.min.js,
// compressed with gzip -9n).
//
// A page needs the library only once, because it is large. Its licences (Apache 2.0 and BSD
// 3-Clause) are in the same folder.
package echarts

import (
	_ "embed"
	"encoding/base64"
	"strings"
)

//go:embed echarts-5.6.0.min.js.gz
var library []byte

//go:embed echarts-gl-2.1.0.min.js.gz
var libraryGL []byte

//go:embed runtime.js
var runtime string

// Script returns the script, about 680 kB, that defines hyperplaneCharts for a page. It
// does nothing on a page that already has hyperplaneCharts.
func Script() string {
	var b strings.Builder
	b.WriteString(`globalThis.hyperplaneLibraries = ["`)
	b.WriteString(base64.StdEncoding.EncodeToString(library))
	b.WriteString(`", "`)
	b.WriteString(base64.StdEncoding.EncodeToString(libraryGL))
	b.WriteString("\"];\n")
	b.WriteString(runtime)
	return b.String()
}
