package main

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
)

// gradeFlags are what `generate grade` is told.
type gradeFlags struct {
	class, out, memory, shard, keep string
	jobs                            int
	cpu                             time.Duration
	merge, open                     bool
}

var sizes = map[string]int64{"MiB": 1 << 20, "GiB": 1 << 30}

// limits are the limits that the flags ask for.
func (f *gradeFlags) limits() (grading.Limits, error) {
	l := grading.DefaultLimits
	if f.cpu < time.Second || f.cpu > time.Hour || f.cpu%time.Second != 0 {
		return l, fmt.Errorf("--cpu takes whole seconds, 1s to 1h; found %v", f.cpu)
	}
	l.CPU = f.cpu
	m := regexp.MustCompile(`^([1-9][0-9]{0,5})(MiB|GiB)$`).FindStringSubmatch(f.memory)
	if m == nil {
		return l, fmt.Errorf("--memory takes a size such as 512MiB or 2GiB; found %q", f.memory)
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	l.Memory = n * sizes[m[2]]
	if l.Memory < 256<<20 { // the Go runtime reserves that much
		return l, fmt.Errorf("--memory takes 256MiB or more; found %s", f.memory)
	}
	return l, err
}

// part is the shard that the flags ask for.
func (f *gradeFlags) part() (s class.Shard, err error) {
	if f.shard == "" {
		return s, nil
	}
	m := regexp.MustCompile(`^([0-9]{1,6})/([0-9]{1,6})$`).FindStringSubmatch(f.shard)
	if m != nil {
		s.Index, _ = strconv.Atoi(m[1]) // six digits
		s.Of, _ = strconv.Atoi(m[2])
	}
	if s.Index < 1 || s.Index > s.Of {
		return s, fmt.Errorf("--shard takes i/n with i from 1 to n; found %q", f.shard)
	}
	return s, nil
}
