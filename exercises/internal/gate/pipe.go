package gate

import (
	"net"
	"os"
	"reflect"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// PipeVariable is the environment variable with which every answer that the tests judge
// stands behind a connection, as that of a hand-in does: the verdicts must be the same.
const PipeVariable = "HYPERPLANE_PIPE"

func init() {
	if os.Getenv(PipeVariable) != "" {
		judge.Through = overConnection
	}
}

func through[F any](f F) F { return judge.Through(f).(F) }

// overConnection is f as a judge sees it who is elsewhere.
func overConnection(f any) any {
	here, there := net.Pipe()
	remote.New(there, remote.Options{TODO: verify.TODO}, f)
	return remote.New(here, remote.Options{}).Function(0, reflect.TypeOf(f)).Interface()
}
