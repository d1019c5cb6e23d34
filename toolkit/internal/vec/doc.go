// Package vec contains the inner loops of the fits over packed rows. Each loop exists in three
// versions, called paths: for AVX-512, for AVX2 with FMA, and in plain Go for every other
// processor. The generator in folder asm writes the assembly.
//
// A run of n rows is packed: row r begins at z[r·ld], where ld is a multiple of Pad. The numbers
// after the m columns of a row are zero. Sums on the three paths differ by rounding, because each
// path has its own order of addition. The vector paths also round only once after a product and a
// sum. No result depends on the position of a row in a run.
//
// Sums over a run of few rows use the plain path. Activations, links and densities use the vector
// paths for any number of rows. The environment variable HYPERPLANE_KERNEL selects the path:
// generic, avx2 or avx512. Command generate selects generic, because its outputs are compared byte
// for byte. On arm64 and some other processors, Go also fuses products and sums on the plain path.
// Builds with the tag safe, which grading uses, contain only the plain path.
package vec

//go:generate go run -C asm . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg vec
