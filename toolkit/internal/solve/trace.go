package solve

// Trace is the sequence of iterates of a fit, the starting point first.
type Trace []Step

// Step is one iterate.
type Step struct {
	W             []float64 // the weights, bias first
	E             float64   // the objective: −ln p(t|w) and the prior's penalty
	GradNorm      float64   // ‖∇E(w)‖
	Misclassified int       // rows on the wrong side of a = 0, by t > ½
	Iteration     int       // how many iterations were made before it: not every one need be recorded
	HeldOut       float64   // −ln p of the held-out rows of a Stopping, 0 without
}
