// Command asm writes the AVX2 and AVX-512 kernels of package vec:
//
//	go run . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg vec
//
// The command is a separate module, so that the toolkit does not require avo. The source of each
// kernel is written once, for vectors of both widths (see width). Only byRow has a single width.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
)

func main() {
	build.ConstraintExpr("amd64,!safe")
	for _, w := range []width{8, 4} {
		for nv := 1; nv <= 3; nv++ {
			tileKernel(w, nv)
		}
		affineKernel(w)
		marginsKernel(w)
		formsKernel(w, 1, false)
		formsKernel(w, 2, false)
		formsKernel(w, 1, true)
		whitenKernel(w)
		for nv := 1; nv <= 4; nv++ {
			addRows(w, nv)
		}
		scaleKernel(w)
		addByClass(w, false)
		addByClass(w, true)
		packSquare(w)
		columnsKernel(w)
		finiteKernel(w)
		exponential(w)
		sigmoid(w)
		crossEntropy(w)
		normalKernel(w)
		probitKernel(w)
		softmaxKernel(w)
		sidesKernel(w)
		sizesKernel(w)
	}
	byRow(2)
	byRow(4)
	build.Generate()
}

// begin opens the kernel with the given name for vectors of w numbers.
func begin(w width, name, signature, doc string) {
	full := fmt.Sprintf("%s%d", name, 64*w)
	build.TEXT(full, build.NOSPLIT, signature)
	build.Doc(full + " " + doc)
	build.Pragma("noescape")
}

func end() {
	build.VZEROUPPER()
	build.RET()
}
