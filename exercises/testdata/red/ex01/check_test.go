package ex01_test

/*
Equivalent mutants

# One entry holds; each of the others is there to turn the judge red.
Square: s := a → s := -a
    The sign is lost in the product.

Area: return a * b → return a

Area: return a * b → return -(a * b)
    This one is killed.

Area: return a * b → return a + b
    There is no such mutant.
*/
