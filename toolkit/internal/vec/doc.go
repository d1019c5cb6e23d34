// Package vec has the inner loops of the fits over packed rows, for the vector units
// of the processor: AVX-512, AVX2 with FMA, and plain Go everywhere else. The
// generator in folder asm writes the assembly.
//
// A run of rows is packed: row r of n begins at z[r·ld], where ld is a multiple of Pad, and is
// zero behind its m columns. Sums of the three paths differ by rounding: each path adds in its
// own order, and the vector paths round a product and its sum once. No result depends on
// the position of a row in a run.
//
// Sums over a run of few rows take the plain path; activations, links and densities take
// the vector paths for any number of rows. The environment variable HYPERPLANE_KERNEL
// chooses the path: generic, avx2 or avx512. Outputs that are compared byte for byte are
// made with generic. On arm64 and other processors, Go fuses products and sums of the plain
// path too. Builds with the tag safe, which grading uses, contain only the plain path.
package vec

//go:generate go run -C asm . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg vec
