package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

// virtual is the folder of the module, in the overlay only, that holds what is
// compiled: the package s<i> for the i-th text.
const virtual = "generate/internal/trial/virtual"

// An overlay is a set of files that the go command sees in the folder virtual and
// that lie in a temporary folder.
type overlay struct {
	root, dir string
	replace   map[string]string // path in the module → real file
}

func newOverlay(root, dir string) *overlay {
	return &overlay{root, dir, map[string]string{}}
}

// add puts a file into the overlay; path is relative to virtual.
func (o *overlay) add(path, text string) error {
	file := filepath.Join(o.dir, strings.ReplaceAll(path, "/", "_"))
	o.replace[filepath.Join(o.root, filepath.FromSlash(virtual), filepath.FromSlash(path))] = file
	return os.WriteFile(file, []byte(text), 0o600)
}

// build runs go build with the overlay and returns the compiler's messages by the
// number of the package, none when all is well.
func (o *overlay) build(ctx context.Context, args ...string) (map[int]string, error) {
	list, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(o.dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-overlay=" + file, "-buildvcs=false"}, args...)...)
	cmd.Dir = o.root
	text, err := cmd.CombinedOutput()
	if err == nil {
		return nil, nil
	}
	messages := byPackage(string(text))
	if len(messages) == 0 {
		return nil, fmt.Errorf("building what is to be judged: %w\n%s", err, text)
	}
	return messages, nil
}

var packageLine = regexp.MustCompile(`(?m)^# ` + regexp.QuoteMeta(cell.Module+"/"+virtual) + `/s([0-9]+)$`)

// byPackage takes the go command's messages apart: each package's stand below a
// line with its path. Messages about other packages belong to nobody.
func byPackage(text string) map[int]string {
	messages := map[int]string{}
	for _, at := range packageLine.FindAllStringSubmatchIndex(text, -1) {
		var i int
		if _, err := fmt.Sscan(text[at[2]:at[3]], &i); err != nil {
			continue
		}
		body := text[at[1]:]
		if next := strings.Index(body, "\n# "); next >= 0 {
			body = body[:next]
		}
		messages[i] = strings.TrimSpace(body)
	}
	return messages
}
