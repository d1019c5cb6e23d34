package nbgrader

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
)

// A Grade is a line of the grades that nbgrader exports: one learner's result for one assignment.
type Grade struct {
	Assignment string
	Due        time.Time // due date; the zero time if there is no due date
	Submitted  time.Time // time of the submission; the zero time if nothing was submitted
	ID         string    // the learner's id
	LastName   string
	FirstName  string
	Email      string
	Score      float64 // before the penalty
	Penalty    float64 // penalty for late submission
	Max        float64
}

// columns lists the columns that nbgrader's CSV exporter writes, in the same order.
var columns = []string{
	"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
	"raw_score", "late_submission_penalty", "score", "max_score",
}

// WriteGrades writes the grades as CSV like `nbgrader export`. Times are in UTC without a zone,
// numbers have the form of Python's floats, and scores are at least 0. Unlike nbgrader, WriteGrades
// quotes fields that contain a comma or a quote.
func WriteGrades(w io.Writer, grades []Grade) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for _, g := range grades {
		if g.Submitted.IsZero() {
			g.Score, g.Penalty = 0, 0
		}
		if err := out.Write([]string{
			g.Assignment, timestamp(g.Due), timestamp(g.Submitted), g.ID, g.LastName, g.FirstName, g.Email,
			float(g.Score), float(g.Penalty), float(max(0, g.Score-g.Penalty)), float(g.Max),
		}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// timestamp formats a time like Python's str(datetime). For the zero time it returns "".
func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.UTC().Truncate(time.Microsecond)
	if t.Nanosecond() == 0 {
		return t.Format(time.DateTime)
	}
	return t.Format("2006-01-02 15:04:05.000000")
}

// float formats a score like Python's str(float).
func float(x float64) string {
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
