package ex01_test

/*
Equivalent mutants

# The first entry is right. The judge must object to each of the other entries.
Square: s := a → s := -a
    The sign is lost in the product.

Area: return a * b → return a

Area: return a * b → return -(a * b)
    A test kills this mutant.

Area: return a * b → return a + b
    The judge makes no such mutant.
*/
