package grading

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// listenFor creates a socket and returns the path of the socket. Until the test ends, it runs f
// with a listener on this socket.
func listenFor(t *testing.T, f func(context.Context, net.Listener)) string {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "hp-"))(t) // a socket's path must be short, so t.TempDir is not suitable
	l := must.Get(net.Listen("unix", filepath.Join(dir, "s")))(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); f(ctx, l) }()
	t.Cleanup(func() { cancel(); l.Close(); <-done; os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

// judgeElsewhere judges an answer to PRML 4.25. The server at the given socket compiles and runs
// the answer. `body` is the body of the answer's function LambdaSquared.
func judgeElsewhere(t *testing.T, socket, body string) (*Outcome, error) {
	t.Helper()
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	limits := DefaultLimits
	limits.CPU = 3 * time.Second
	job := &Job{Exercise: e.ID, Toolchain: &Toolchain{Socket: socket, ReplyTimeout: 20 * time.Second}, Limits: limits,
		Source: "var calls int\n\nfunc LambdaSquared() float64 {\n\t" + body + "\n}\n" + rest}
	return job.Do(t.Context(), e, []any{ex25.Check, ex25.CheckSteps})
}

// startServer starts, in this process, a server that compiles and runs answers. It returns the
// server's socket and the folder of the server's jobs.
func startServer(t *testing.T) (socket, dir string) {
	t.Helper()
	abs := must.Get(filepath.Abs(root))(t)
	tools := must.Get(NewToolchain(t.Context(), abs, t.TempDir(), true))(t)
	dir = t.TempDir()
	return listenFor(t, func(ctx context.Context, l net.Listener) {
		if err := Serve(ctx, l, tools, dir); err != nil {
			t.Error(err)
		}
	}), dir
}

func TestServe(t *testing.T) {
	socket, dir := startServer(t)
	for _, tt := range []struct {
		name, body string
		outcome    verify.Outcome
		want       string
	}{
		{"right", "return math.Pi / 8", verify.Right, ""},
		{"panic", "var v []float64\n\treturn v[0]", verify.Crashed, "answer.go:5"},
		{"endless", "for {\n\t}", verify.TimedOut, "No answer within"},
		{"recursion", recursion, verify.Crashed, "exit status 2"},
		{"much memory",
			"var s [][]byte // allocated, but not written, because writing takes seconds on some machines\n\tfor {\n\t\ts = append(s, make([]byte, 1<<24))\n\t}", verify.Crashed, "exit status 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			done := must.Get(judgeElsewhere(t, socket, tt.body))(t)
			if done.Status != Judged {
				t.Fatalf("got the status %s with the message %s, want Judged", done.Status, done.Message)
			}
			if p := done.Reports[0].Parts[0]; p.Outcome != tt.outcome || !strings.Contains(p.Message, tt.want) {
				t.Errorf("got the outcome %s for part 1, want %s and a message with %q; the report is\n%s",
					p.Outcome, tt.outcome, tt.want, done.Reports[0])
			}
		})
	}
	done := must.Get(judgeElsewhere(t, socket, "return x"))(t)
	if done.Status != NotCompiled || !strings.Contains(done.Message, "answer.go:4:9: undefined: x") {
		t.Errorf("got the status %s with the message %s, want NotCompiled with answer.go:4:9: undefined: x",
			done.Status, done.Message)
	}
	// Wait until the server has removed the folders of all jobs. It removes the folder of a job after
	// the client has closed the job's connection.
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left := must.Get(os.ReadDir(dir))(t)
		if len(left) == 0 {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("ten seconds after the last verdict, the server has not yet removed the folders %v", left)
		}
	}
}

// TestChangedTools changes the tools that compile an answer. After the change, neither this machine
// nor a server may judge an answer. The error must be a Fault, because the answer is not to blame.
func TestChangedTools(t *testing.T) {
	abs := must.Get(filepath.Abs(root))(t)
	tools := must.Get(NewToolchain(t.Context(), abs, t.TempDir(), true))(t)
	socket := listenFor(t, func(ctx context.Context, l net.Listener) { _ = Serve(ctx, l, tools, t.TempDir()) })
	// Wait for the server's first reply. By then the server has computed the hash of the unchanged tools.
	if done := must.Get(judgeElsewhere(t, socket, "return x"))(t); done.Status != NotCompiled {
		t.Fatalf("got the outcome %+v, want the status NotCompiled", done)
	}
	must.Do(t, os.Chmod(filepath.Join(tools.PackageDir, "importcfg"), 0o644))
	must.Do(t, os.Truncate(filepath.Join(tools.PackageDir, "importcfg"), 0))
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	here := tools.Compile(t.Context(), e, must.Get(Cut(e, "func LambdaSquared() float64 { return 0.2 }"+rest))(t),
		t.TempDir())
	_, there := judgeElsewhere(t, socket, "return math.Pi / 8")
	for err, want := range map[error]string{here: "the reference answer to prml-4.25 does not compile: main.go:",
		there: "have changed since the server began"} {
		must.Fail(t, err, want)
		if !errors.As(err, new(*Fault)) {
			t.Errorf("got the error %v of the type %T, want a Fault", err, err)
		}
	}
}

// TestServeRefuses checks that, after an invalid request, the server closes the connection. If the
// request is valid JSON, the server must first reply with an error.
func TestServeRefuses(t *testing.T) {
	socket, _ := startServer(t)
	for _, tt := range []struct{ name, sent, want string }{
		{"no job", "\x0e\x00\x00\x00" + `{"run":"none"}`, "unknown job"},
		{"nothing", "\x02\x00\x00\x00{}", "must be compile or run"},
		{"no JSON", "\x02\x00\x00\x00xx", ""},
		{"too long", "\xff\xff\xff\xff", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := must.Get(net.Dial("unix", socket))(t)
			defer c.Close()
			must.Do(t, c.SetDeadline(time.Now().Add(20*time.Second)))
			must.Get(io.WriteString(c, tt.sent))(t)
			if text := must.Get(io.ReadAll(c))(t); !strings.Contains(string(text), tt.want) || tt.want == "" && len(text) > 0 {
				t.Errorf("got the reply %q, want a reply with %q (if this is empty, want no reply)", text, tt.want)
			}
		})
	}
}

// shortCheck and shortSteps are checks with a single part, which has a time limit of one second.
func shortCheck(lambdaSquared func() float64) *verify.Report {
	return verify.Run("prml-4.25", "", verify.Part{Name: "a number", Limit: time.Second, Judge: func() verify.Verdict {
		if lambdaSquared() == math.Pi/8 {
			return verify.Verdict{Outcome: verify.Right}
		}
		return verify.Verdict{Outcome: verify.Wrong}
	}})
}

func shortSteps(sigmoidSlope func() float64, _ func(float64) float64) *verify.Report {
	return shortCheck(func() float64 { return sigmoidSlope() + math.Pi })
}

// A fake is a server with prepared replies: its fields `compile`, `run` and `end` contain the
// replies to the requests with these names. The server sends a reply that is a string as it is, and
// then closes the connection. It sends any other reply as a frame. If a field is nil, the server
// never replies to the request of this name. After the reply to the request `run`, the server passes
// the connection to the function `process`, unless this function is nil. It then reads no further
// requests from this connection.
type fake struct {
	compile, run, end any
	process           func(net.Conn)
}

func (f *fake) serve(ctx context.Context, l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		context.AfterFunc(ctx, func() { c.Close() })
		go func() {
			for {
				var q request
				if readFrame(c, maxQuestion, &q) != nil {
					return
				}
				say := f.end
				switch {
				case q.Compile != nil:
					say = f.compile
				case q.Run != "":
					say = f.run
				}
				switch v := say.(type) {
				case nil:
					<-ctx.Done()
				case string:
					_, _ = io.WriteString(c, v)
					c.Close()
				default:
					_ = writeFrame(c, v)
				}
				if q.Run != "" && f.process != nil {
					f.process(c)
					return
				}
			}
		}()
	}
}

// TestServerIsNotBelieved checks that no reply of a server makes a wrong answer Right, and that a
// missing reply does not block the judge. A problem with the server must be an error, not a verdict
// on the answer.
func TestServerIsNotBelieved(t *testing.T) {
	compiled, running, ended := reply{Key: "k"}, reply{Process: 1}, reply{Ended: "exit status 2"}
	closes := func(c net.Conn) { c.Close() }
	hangs := func(net.Conn) {}
	rubbish := func(text string) func(net.Conn) {
		return func(c net.Conn) {
			for range 1 << 12 {
				if _, err := io.WriteString(c, text); err != nil {
					return
				}
			}
		}
	}
	for _, tt := range []struct {
		name   string
		server fake
		fault  string // text in the expected error; "" if the judge must return an outcome, in which no part is Right
	}{
		{"says nothing", fake{}, "timeout"},
		{"closes", fake{compile: ""}, "EOF"},
		{"rubbish", fake{compile: "\x05\x00\x00\x00hello"}, "invalid character"},
		{"a long frame", fake{compile: "\xff\xff\xff\xff"}, "want at most"},
		{"has a fault", fake{compile: reply{Fault: "no space\x1b[31m left"}}, "no space[31m left"},
		{"refuses", fake{compile: reply{Refused: "\x1b]0;evil\x07no"}}, ""},
		{"starts nothing", fake{compile: compiled, end: ended}, "timeout"},
		{"no number", fake{compile: compiled, run: reply{}, end: ended, process: closes}, "process number 0"},
		{"the process ends", fake{compile: compiled, run: running, end: ended, process: closes}, ""},
		{"out of time", fake{compile: compiled, run: running, end: reply{Time: true}, process: closes}, ""},
		{"the end hangs", fake{compile: compiled, run: running, process: closes}, "timeout"},
		{"the end is rubbish", fake{compile: compiled, run: running, end: "rubbish", process: closes}, "want at most"},
		{"the process hangs", fake{compile: compiled, run: running, process: hangs}, "timeout"},
		{"zeros", fake{compile: compiled, run: running, end: ended, process: rubbish("\x00")}, ""},
		{"ones", fake{compile: compiled, run: running, end: ended, process: rubbish("\xff")}, ""},
		// Send 200 results of calls without having read any calls. Each result is 40 zero bytes.
		{"forged returns", fake{compile: compiled, run: running, end: ended, process: func(c net.Conn) {
			for serial := range byte(200) {
				text := "\x28\x00\x00\x00\x01" + string(serial) + strings.Repeat("\x00", 7+40)
				if _, err := io.WriteString(c, text); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}}, ""},
		// Send calls to the judge, although the judge offers no functions that the program could call.
		{"calls", fake{compile: compiled, run: running, end: ended,
			process: rubbish("\x01\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x07")}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			socket := listenFor(t, tt.server.serve)
			e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
			job := &Job{Exercise: e.ID, Toolchain: &Toolchain{Socket: socket, ReplyTimeout: 2 * time.Second},
				Limits: DefaultLimits,
				Source: "func LambdaSquared() float64 { return 0.2 }\n" + rest}
			done, err := job.Do(t.Context(), e, []any{shortCheck, shortSteps})
			if tt.fault != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fault) {
					t.Fatalf("got the error %v, want an error that contains %q; the outcome is %+v",
						err, tt.fault, done)
				}
				return
			}
			must.Do(t, err)
			if strings.ContainsAny(done.Message, "\x1b\x07") {
				t.Errorf("the message %q contains control characters", done.Message)
			}
			for _, r := range done.Reports {
				for _, p := range r.Parts {
					if p.Outcome == verify.Right {
						t.Errorf("a part of a wrong answer is Right: %s", r)
					}
				}
			}
		})
	}
	if _, err := judgeElsewhere(t, filepath.Join(t.TempDir(), "none"), "return 1"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a server, got the error %v, want os.ErrNotExist", err)
	}
}

// TestEndOfNothing checks that the method `end` does not try to kill a process that has never
// started, even if the waiting time is 0.
func TestEndOfNothing(t *testing.T) {
	p := &process{ended: make(chan struct{})}
	close(p.ended)
	for range 1000 {
		p.end(0)
	}
}

// TestEndlessTwice checks that an answer with two endless loops at the same time is TimedOut on
// this machine and on a server. The two loops use up the processor time twice as fast as a single
// loop.
func TestEndlessTwice(t *testing.T) {
	const body = "go func() {\n\t\tfor {\n\t\t}\n\t}()\n\tfor {\n\t}"
	here := must.Get(judgeAnswer(t, "func LambdaSquared() float64 {\n\t"+body+"\n}\n"+rest))(t)
	socket, _ := startServer(t)
	there := must.Get(judgeElsewhere(t, socket, body))(t)
	for _, r := range []*verify.Report{here, there.Reports[0]} {
		if p := r.Parts[0]; p.Outcome != verify.TimedOut {
			t.Errorf("got the outcome %s for part 1, want TimedOut; the report is\n%s", p.Outcome, r)
		}
	}
}
