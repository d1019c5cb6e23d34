package nbgrader

import (
	"strings"
	"testing"
	"time"
)

func TestWriteGrades(t *testing.T) {
	due := time.Date(2026, 3, 1, 13, 0, 0, 0, time.FixedZone("CET", 3600))
	var b strings.Builder
	err := WriteGrades(&b, []Grade{
		{Assignment: "prml4", Due: due, Submitted: due.Add(1500 * time.Millisecond), ID: "ada", LastName: "Lovelace",
			FirstName: "Ada", Email: "ada@example.org", Score: 2.5, Penalty: 1, Max: 3},
		{Assignment: "prml4", Due: due, ID: "abs", LastName: "O, P", Score: 2, Max: 3},
		{Assignment: "prml4", Submitted: due, ID: "late", Score: 1, Penalty: 5, Max: 3},
	})
	// nbgrader's CsvExportPlugin prints this header and these values, with Python's str of
	// datetimes and floats.
	want := `assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score
prml4,2026-03-01 12:00:00,2026-03-01 12:00:01.500000,ada,Lovelace,Ada,ada@example.org,2.5,1.0,1.5,3.0
prml4,2026-03-01 12:00:00,,abs,"O, P",,,0.0,0.0,0.0,3.0
prml4,,2026-03-01 12:00:00,late,,,,1.0,5.0,0.0,3.0
`
	if err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}
