package datasets

import (
	"errors"
	"fmt"
)

// Target returns the two-class targets of one class against all others: 1 for
// its rows, 0 for the rest. An unknown class is an error that lists the classes.
func (d *Dataset) Target(class string) ([]float64, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	k, err := d.index("class", d.ClassNames, class)
	if err != nil {
		return nil, err
	}
	return Targets(d.Labels, k)
}

// Targets returns the two-class targets of labels: t = 1 for those of the class,
// 0 for the rest; with class 0, t = 1 ⇔ C₁. It is what the fit of a
// cross-validation, which gets labels, hands to a two-class model. Errors: no
// labels, a class or a label below 0. That no label is of the class is none.
func Targets(labels []int, class int) ([]float64, error) {
	if class < 0 {
		return nil, fmt.Errorf("datasets: Targets: class is %d: classes count from 0", class)
	}
	if len(labels) == 0 {
		return nil, errors.New("datasets: Targets: there are no labels: give one per row")
	}
	t := make([]float64, len(labels))
	for i, l := range labels {
		if l < 0 {
			return nil, fmt.Errorf("datasets: Targets: label of row %d is %d: labels count from 0", i, l)
		}
		if l == class {
			t[i] = 1
		}
	}
	return t, nil
}
