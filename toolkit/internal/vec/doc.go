// Package vec has the inner loops of the fits over packed rows, for the vector units
// of the processor: AVX-512, AVX2 with FMA, and plain Go everywhere else. The
// assembly is written by the generator in folder asm.
//
// A run of rows is packed: row r of n begins at z[r·ld], ld a multiple of Pad
// numbers, and is zero behind its m columns. Sums of the three paths differ by
// rounding: each adds in an order of its own, and the vector paths round a product
// and its sum once. No path depends on where a row stands in a run.
//
// A run of a few rows takes the plain path on every processor. The environment variable
// HYPERPLANE_KERNEL chooses the path of the others, generic, avx2 or avx512. Outputs
// that are compared byte for byte are made with generic.
package vec

//go:generate go run -C asm . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg vec
