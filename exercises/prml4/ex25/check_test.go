package ex25_test

/*
Equivalent mutants

# Mutants that are right all the same.
LambdaSquared: lambda := math.Sqrt(2*math.Pi) / 4 → lambda := -(math.Sqrt(2*math.Pi) / 4)
    Returned is λ², in which the sign is lost.
*/
