// Package vec contains the inner loops of the fits over packed rows. Each loop exists in three
// versions, called paths: in assembly for AVX-512, in assembly for AVX2 with FMA, and in plain Go
// for every other processor. The generator in the asm folder writes the assembly.
//
// The n rows that a loop processes are packed in a slice z: row r begins at z[r·ld], where ld is a
// multiple of Pad. The numbers after the m columns of a row are zero. The sums of the three paths
// have different rounding errors, because each path adds in a different order. In addition, the
// assembly paths round an expression a·b + c only once. No result depends on the position of a row
// among the n rows.
//
// Sums over few rows are computed on the plain path. Activations, links and densities are computed
// on an assembly path for any number of rows. The environment variable HYPERPLANE_KERNEL selects
// the path: generic, avx2 or avx512. The command `generate` selects the path `generic`, because its
// outputs are compared byte for byte. On arm64 and some other processors, the Go compiler fuses
// products and sums on the plain path too. Builds with the tag `safe`, which grading uses, contain
// only the plain path.
package vec

//go:generate go run -C asm . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg vec
