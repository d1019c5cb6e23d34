package exercises

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// mistakes maps the number of each part that is not right, from 1, to the key of its mistake.
func mistakes(r *verify.Report) map[int]string {
	out := map[int]string{}
	for i, p := range r.Parts {
		if p.Outcome != verify.Right {
			out[i+1] = p.Key
		}
	}
	return out
}

// again returns a line for the learner if the last try of a repeats the mistake of an earlier try,
// and "" otherwise. The line names the hint that helps. From the third time on, it also lists the
// changes since the previous try. rec is the record that a belongs to.
func (e *Exercise) again(rec *progress.Record, a *progress.Attempts, r *verify.Report) string {
	for i, p := range r.Parts {
		times := a.Times(p.Key)
		if p.Outcome != verify.Wrong || p.Key == "" || times < 2 {
			continue
		}
		text := fmt.Sprintf("Your answer had the mistake of part %d in %d of your last %d tries.", i+1, times,
			len(a.Earlier)+1) + e.advice(rec, p.Hint)
		if times > 2 {
			text += since(a)
		}
		return text
	}
	return ""
}

// advice names the hint to read for a repeated mistake: the hint of the mistake or, if the learner
// has seen it, the next unseen hint.
func (e *Exercise) advice(rec *progress.Record, hint int) string {
	unseen := rec.Unseen(len(e.Hints))
	switch {
	case slices.Contains(unseen, hint):
		return fmt.Sprintf(" Read hint %d: %s.Hint(%d).", hint, e.packageName(), hint)
	case len(unseen) > 0:
		return fmt.Sprintf(" Read the next hint, number %d: %s.Hint(%d).", unseen[0], e.packageName(), unseen[0])
	case hint > 0:
		return fmt.Sprintf(" Read hint %d again: %s.Hint(%d).", hint, e.packageName(), hint)
	}
	return ""
}

// since lists the parts that changed between the last two tries. It returns "" if the record does
// not contain them.
func since(a *progress.Attempts) string {
	if len(a.Earlier) == 0 {
		return ""
	}
	before, now := a.Earlier[len(a.Earlier)-1], a.Last
	if !before.Finished || before.Parts != now.Parts || len(before.Wrong) != before.Parts-before.Right {
		return "" // the program ended, the check has changed, or the record is of schema 1
	}
	var right, wrong []int
	for i := 1; i <= now.Parts; i++ {
		_, was := before.Wrong[i]
		_, is := now.Wrong[i]
		switch {
		case was && !is:
			right = append(right, i)
		case is && !was:
			wrong = append(wrong, i)
		}
	}
	var changes []string
	for _, c := range []struct {
		parts []int
		into  string
	}{{right, "right"}, {wrong, "wrong"}} {
		switch len(c.parts) {
		case 0:
		case 1:
			changes = append(changes, fmt.Sprintf("part %d turned %s", c.parts[0], c.into))
		default:
			changes = append(changes, fmt.Sprintf("parts %s turned %s", progress.Series(c.parts), c.into))
		}
	}
	if len(changes) == 0 {
		return " Since the previous try, no part has changed: the same parts are right."
	}
	return " Since the previous try, " + strings.Join(changes, ", and ") + "."
}
