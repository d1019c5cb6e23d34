package classify

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// ClassPair is the separability of two of several classes; the first plays the
// part of t = 1.
type ClassPair struct {
	First, Second int
	*Separability
}

// SeparablePairs decides for each pair of classes whether it is linearly
// separable: pairwise separation, Alpaydin 10.4, the weaker demand. Pairs come in
// the order (0,1), (0,2) …; those with a class without rows are left out. Rows
// in certificates are rows of x. Errors as FitLeastSquares.
func SeparablePairs(x mat.Matrix, labels []int, k int) ([]ClassPair, error) {
	p, counts, err := sepLabels(x, labels, k)
	if err != nil {
		return nil, failure("SeparablePairs", err)
	}
	var out []ClassPair
	for i := range k {
		for j := i + 1; j < k && counts[i] > 0; j++ {
			if counts[j] == 0 {
				continue
			}
			for n, l := range labels {
				switch l {
				case i:
					p.side[n] = 1
				case j:
					p.side[n] = -1
				default:
					p.side[n] = 0
				}
			}
			s, err := p.decide()
			if err != nil {
				return nil, failure("SeparablePairs", err)
			}
			out = append(out, ClassPair{i, j, s})
		}
	}
	return out, nil
}

// SeparableFromRest decides for each class whether it is linearly separable from
// all others together, as one hyperplane per class demands (Alpaydin 10.3.2 and
// 10.7). In the certificates the class is t = 1. A class without rows has a nil
// entry. Errors as FitLeastSquares.
func SeparableFromRest(x mat.Matrix, labels []int, k int) ([]*Separability, error) {
	p, counts, err := sepLabels(x, labels, k)
	if err != nil {
		return nil, failure("SeparableFromRest", err)
	}
	out := make([]*Separability, k)
	for i := range k {
		if counts[i] == 0 {
			continue
		}
		for n, l := range labels {
			p.side[n] = -1
			if l == i {
				p.side[n] = 1
			}
		}
		if out[i], err = p.decide(); err != nil {
			return nil, failure("SeparableFromRest", err)
		}
	}
	return out, nil
}

func sepLabels(x mat.Matrix, labels []int, k int) (*sepProblem, []int, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, nil, err
	}
	n, _ := src.Dims()
	counts, err := check.Labels(labels, n, k)
	if err != nil {
		return nil, nil, err
	}
	return &sepProblem{src: src, cols: cols, side: make([]int8, n)}, counts, nil
}
