package ex14_test

/*
Equivalent mutants

SeparatingDirection: for range 1000 → for range 1000-1
SeparatingDirection: for range 1000 → for range 1001
SeparatingDirection: for range 1000 → for range 999
    At most 625 passes make a correction where the data are separable, and the next one is clean: any number of passes from 626 will do.

SeparatingDirection: sign := 2*t[n] - 1 → sign := 2*(2*t[n] - 1)
SeparatingDirection: sign := 2*t[n] - 1 → sign := (2*t[n] - 1)/2
SeparatingDirection: floats.AddScaled(w, sign, Phi.RawRowView(n)) → floats.AddScaled(w, 2*sign, Phi.RawRowView(n))
SeparatingDirection: floats.AddScaled(w, sign, Phi.RawRowView(n)) → floats.AddScaled(w, sign/2, Phi.RawRowView(n))
    All corrections are multiplied by the same positive number. As w starts from 0, w is multiplied by it too, every sign stays what it
    was, and the length of w is free.

SeparatingDirection: sign := 2*t[n] - 1 → sign := 4*t[n] - 1
SeparatingDirection: sign := 2*t[n] - 1 → sign := 2*t[n] - 0.5
    The signs are right, and a correction by a point with t = 1 counts three times as much as one by a point with t = 0: a perceptron with
    steps s of 1 and 3. Its k corrections have γ∑s ≤ |w| ≤ R√∑s², and (s−1)(s−3) ≤ 0 gives ∑s² ≤ 4∑s − 3k ≤ (4/3)(∑s)²/k; so
    k ≤ (4/3)·625 = 833, and a thousand passes are enough for it, too.
*/
