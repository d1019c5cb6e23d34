package show

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

var errNilModel = errors.New("the model is nil; look at the error that its fit returned")

// isNil reports whether m is nil or contains a nil pointer, function, map or slice. A fit that fails
// returns such a value.
func isNil(m any) bool { return check.Nil(m) }

// checkPlane returns an error if the rows of d cannot be drawn as points in a plane.
func checkPlane(d *datasets.Dataset) error {
	if d != nil && d.X != nil && d.N() > 0 && d.D() != 2 {
		return fmt.Errorf("the data set has %d features (%s), but a plane shows two: choose two features with d.Columns(…) and fit the model on them",
			d.D(), strings.Join(d.FeatureNames, ", "))
	}
	return checkRows(d)
}

// checkRows returns an error if the rows of d cannot be drawn as points of their classes.
func checkRows(d *datasets.Dataset) error {
	switch {
	case d == nil:
		return errors.New("the data set is nil; load one with package datasets")
	case d.X == nil || d.N() == 0:
		return errors.New("the data set has no rows; a picture needs at least one point")
	case d.K() > MaxClasses:
		return fmt.Errorf("the data set has %d classes; colours and markers distinguish at most %d: choose fewer classes with d.Class(…)", d.K(), MaxClasses)
	}
	for i := range d.N() {
		for j := range d.D() {
			if v := d.X.At(i, j); !allFinite(v) {
				return fmt.Errorf("row %d of the data set has %s = %v; remove the row or fill in a number", i,
					d.FeatureNames[j], v)
			}
		}
		if l := d.Labels[i]; l < 0 || l >= d.K() {
			return fmt.Errorf("row %d of the data set has label %d; labels run from 0 to %d", i, l, d.K()-1)
		}
	}
	return nil
}

var indexed = regexp.MustCompile(`^([A-Za-z])_?(\d+)$`)

// label returns the text that a figure shows for the name of a feature or class. For x1 this is a
// formula, and for sepal_length it is two words.
func label(name string) string {
	if m := indexed.FindStringSubmatch(name); m != nil {
		return "$" + m[1] + "_{" + m[2] + "}$"
	}
	return escape(strings.ReplaceAll(name, "_", " "))
}

// prefixError puts "show: " and the name of a function in front of *err, unless *err is nil.
func prefixError(name string, err *error) {
	if *err != nil {
		*err = fmt.Errorf("show: %s: %w", name, *err)
	}
}

// checkCount returns an error if n is 0. It also returns an error if there are not enough colours
// and dashes to distinguish n things in one figure.
func checkCount(n int, one, many string) error {
	if n == 0 {
		return fmt.Errorf("no %s is given; give at least one", one)
	}
	return checkMost(n, many)
}

func checkMost(n int, many string) error {
	if n > len(lineColors) {
		return fmt.Errorf("there are %d %s; colours and dashes distinguish at most %d", n, many, len(lineColors))
	}
	return nil
}

// countOr replaces an option that is 0 with its default. It returns an error if the option is outside
// the range from `least` to `most`.
func countOr(option string, n *int, usual, least, most int) error {
	if *n == 0 {
		*n = usual
	}
	if *n < least || *n > most {
		return fmt.Errorf("option %s is %d; want %d to %d, or 0 for the default %d", option, *n, least, most, usual)
	}
	return nil
}

func checkRange(name string, r [2]float64) error {
	if !(r[0] < r[1]) || !allFinite(r[0], r[1]) {
		return fmt.Errorf("the range %s is %v to %v; want two finite numbers, the smaller one first", name, r[0], r[1])
	}
	return nil
}

// allFinite reports whether no value is NaN or infinite.
func allFinite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
