package ex01

// Constants are p, s and q of the variant that the tests judge: a is sin(p(x1−s)),
// d is log(x2−q).
func Constants() (p, s, q float64) { c := own(); return c.p, c.s, c.q }

// ConstantsOf are the constants of a variant.
func ConstantsOf(n uint64) (p, s, q float64) { c := constantsOf(n); return c.p, c.s, c.q }

// Vary is what the texts are filled with.
var Vary = vary
