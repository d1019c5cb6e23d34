package ex04_test

/*
Equivalent mutants

Direction: floats.AddScaled(m, 1/float64(n), X.RawRowView(i)) → floats.AddScaled(m, 2/float64(n), X.RawRowView(i))
Direction: floats.AddScaled(m, 1/float64(n), X.RawRowView(i)) → floats.AddScaled(m, 0.5/float64(n), X.RawRowView(i))
    Both means are multiplied by the same positive number, and so is their difference; the division by its length takes the number out again.
*/
