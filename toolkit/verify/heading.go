package verify

// A Heading is what a report says before its parts: of which exercise it is, in
// which variant, and whether it counts.
type Heading struct {
	Exercise string // "prml-4.25"
	Title    string
	Seed     uint64 // of a personal variant, 0 for the common one
	Optional bool   // of steps on the way, on which passing the exercise does not depend
}
