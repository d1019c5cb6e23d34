package grading

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// notTheSame is the key of a part that was Right until it was asked again.
const notTheSame = "not-the-same"

// again asks of every part that is Right the same once more, of a fresh process and in
// another order. A function whose answers depend on anything but its arguments, such as
// how often it was called, loses the part.
func (s *Session) again(r *verify.Report, functions []string) error {
	s.part = -1 // what is asked from now on is of no part
	for i := range r.Parts {
		p := &r.Parts[i]
		asked := s.asked[i]
		if p.Outcome != verify.Right || asked == nil {
			continue
		}
		fresh, err := s.connected()
		if err != nil {
			return err
		}
		differs, err := asked.Again(fresh, rand.New(rand.NewPCG(s.Seed, uint64(i))))
		s.Close()
		var message string
		switch {
		case errors.Is(err, remote.ErrTime): // more was asked than the part asks
			continue
		case errors.Is(err, remote.ErrLong):
			message = "This part was right, but its answers are too long to be compared with those to the same questions in another order. Return what is asked for, not a part of something larger."
		case err != nil:
			message = otherwise(fmt.Sprintf("its program ended: %v", err))
		case differs < 0:
			continue
		case differs < len(functions):
			message = otherwise(functions[differs] + " gave another answer")
		default:
			message = otherwise("a function that it returned gave another answer")
		}
		p.Outcome, p.Key, p.Message, p.Hint = verify.Wrong, notTheSame, message, 0
	}
	return nil
}

// otherwise is the message of a part that went otherwise when it was asked again.
func otherwise(how string) string {
	return "This part was right. Asked the same once more, from the beginning and in another order, " + how +
		". Does your code count its calls, keep something from one call to the next, or draw random numbers without a fixed seed?"
}
