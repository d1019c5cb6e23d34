// Package vec contains the inner loops of the fits and predictions. Each loop exists in three
// versions, called paths: in assembly for AVX-512, in assembly for AVX2 with FMA, and in plain Go
// for every other processor. The generator in the asm folder writes the assembly.
//
// Most loops of the fits process n packed rows. Packed rows are stored in a slice z: row r begins at
// z[r·ld], where ld is a multiple of Pad. The numbers after the m columns of a row are zero. The sums
// of the three paths have different rounding errors, because each path adds in a different order. In
// addition, the assembly paths round most expressions a·b + c only once. The result for a single row
// does not depend on the position of the row or on the other rows.
//
// The environment variable HYPERPLANE_KERNEL selects the path: generic (plain Go), avx2 or avx512. If
// the variable is empty or not set, the fastest path of the processor is used. Sums over few rows are
// nevertheless computed on the plain path (see For). The command `generate` selects the path
// `generic`, because its outputs are compared byte for byte. On arm64 and some other processors, the
// Go compiler fuses products and sums on the plain path too. Builds with the tag `safe`, which grading
// uses, contain only the plain path.
package vec

//go:generate go run -C asm . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg vec
