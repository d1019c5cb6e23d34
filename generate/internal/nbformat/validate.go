package nbformat

import (
	"fmt"
	"regexp"
)

var idForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Validate returns an error that names the first cell which notebook format 4.5
// does not allow: an unknown type, an id that is missing, malformed or given
// twice, or outputs on a cell that is not code.
func (nb *Notebook) Validate() error {
	first := map[string]int{}
	for i, c := range nb.Cells {
		n := i + 1
		if c == nil {
			return fmt.Errorf("notebook: cell %d is nil", n)
		}
		if c.Type != Markdown && c.Type != Code && c.Type != Raw {
			return fmt.Errorf("notebook: cell %d has type %q, want code, markdown or raw", n, c.Type)
		}
		if !idForm.MatchString(c.ID) {
			return fmt.Errorf("notebook: cell %d has the id %q, want 1 to 64 letters, digits, - or _", n, c.ID)
		}
		if m, ok := first[c.ID]; ok {
			return fmt.Errorf("notebook: cells %d and %d have the same id %q", m, n, c.ID)
		}
		first[c.ID] = n
		if c.Type != Code && (len(c.Outputs) > 0 || c.ExecutionCount != nil) {
			return fmt.Errorf("notebook: cell %d (%s) is %s but has outputs or an execution count", n, c.ID, c.Type)
		}
		if c.Type == Code && c.Attachments != nil {
			return fmt.Errorf("notebook: cell %d (%s) is code but has attachments", n, c.ID)
		}
		for j, o := range c.Outputs {
			switch o.Type() {
			case "stream", "display_data", "execute_result", "error":
			default:
				return fmt.Errorf("notebook: cell %d (%s): output %d has type %q, want stream, display_data, execute_result or error", n, c.ID, j+1, o.Type())
			}
		}
	}
	return nil
}
