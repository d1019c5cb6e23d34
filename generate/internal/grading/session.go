package grading

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// A Session calls the functions of a learner's answer in a compiled program. Its function Command
// returns the command that runs the program, with or without a sandbox. The method Report runs each
// part of the check in a new process.
type Session struct {
	Command func() *exec.Cmd
	CPU     time.Duration // processor time after which the system kills the process; 0 means no limit
	Wall    time.Duration // maximum wall-clock time of one call; 0 means no limit
	Seed    uint64        // seed for the order in which calls are repeated

	Limits Limits // limits of each process's cgroups, if FindGroups finds any

	// Remote, if not nil, starts the processes on a server. The session then does not use Command.
	Remote *RemoteAnswer

	// Context, if not nil, ends the session: when Context is done, every later call of a function fails.
	Context context.Context

	Peak int64 // largest peak memory of any process, in bytes; 0 for processes on a server

	mu         sync.Mutex // locks the fields below, because a part that has timed out may still be starting a process
	process    Process
	conn       *remote.Conn
	part       int                  // index of the current part
	recordings map[int]*remote.Conn // maps the index of a part to the first connection that the part used
}

// Session returns a session for a program that this toolchain has compiled. The limit of wall-clock
// time for each call is twice the limit of processor time.
func (t *Toolchain) Session(program string, l Limits, seed uint64) *Session {
	s := newSession(l, seed)
	s.Command = t.Command(program, l)
	return s
}

func newSession(l Limits, seed uint64) *Session {
	return &Session{CPU: l.CPU, Wall: 2 * l.CPU, Seed: seed, Limits: l}
}

// A Process runs an answer's program. Read receives data from the program, and Write sends data to
// it.
type Process interface {
	io.ReadWriteCloser
	Why(error) error // returns the reason why the process ended, or its argument if the reason is unknown
	End()            // kills the process
}

// Report calls a check of the exercise. It passes stand-in functions to the check. When the check
// calls a stand-in function, that function calls the learner's function in the program. The
// list `names` contains the functions to pass, in the order of the check's parameters. The list
// `functions` contains all functions of the program, in the program's order. After the check, Report
// repeats the calls of every part that is Right; see repeatCalls.
func (s *Session) Report(check any, names, functions []string) (*verify.Report, error) {
	in, err := s.standIns(check, names, functions)
	if err != nil {
		return nil, err
	}
	s.part, s.recordings = -1, map[int]*remote.Conn{}
	verify.BeforeParts(func() { s.Close(); s.next() })
	defer verify.BeforeParts(nil)
	defer s.Close()
	r := callReport(check, in)
	if r == nil {
		return nil, fmt.Errorf("the check, whose result has the type %v, returned no report", reflect.TypeOf(check).Out(0))
	}
	if s.part+1 != len(r.Parts) {
		return nil, fmt.Errorf("the check judged %d parts, but its report has %d parts", s.part+1, len(r.Parts))
	}
	s.Close()
	err = s.repeatCalls(r, functions)
	if s.Remote != nil {
		err = errors.Join(s.Remote.Fault(), err)
	}
	return r, err
}

// callReport calls a check and returns its report, or nil if the result is not a report.
func callReport(check any, in []reflect.Value) *verify.Report {
	r, _ := reflect.ValueOf(check).Call(in)[0].Interface().(*verify.Report)
	return r
}

// standIns returns one function for each name in `names`. Function i has the type of the check's
// parameter i. It calls the program's function with the name names[i].
func (s *Session) standIns(check any, names, functions []string) ([]reflect.Value, error) {
	f := reflect.TypeOf(check)
	in := make([]reflect.Value, len(names))
	for i, name := range names {
		number := slices.Index(functions, name)
		t := f.In(i)
		if number < 0 || t.Kind() != reflect.Func {
			return nil, fmt.Errorf("cannot pass %s to the check: either the program has no function with this name, "+
				"or the check's parameter, of type %v, is not a function", name, t)
		}
		in[i] = reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			return s.currentConn().Function(number, t).Call(args)
		})
	}
	return in, nil
}

// next advances to the next part. Package verify calls next before each part.
func (s *Session) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.part++
}

// currentConn is like ensureConn, but if ensureConn returns an error, currentConn panics with a
// remote.Panic that contains this error.
func (s *Session) currentConn() *remote.Conn {
	conn, err := s.ensureConn()
	if err != nil {
		panic(&remote.Panic{Lost: err})
	}
	return conn
}

// ensureConn returns the connection to the current process, even if this process has ended. If there
// is no current process, ensureConn starts one. It returns an error if s.Context is done or the
// process does not start.
func (s *Session) ensureConn() (*remote.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Context != nil && s.Context.Err() != nil {
		return nil, s.Context.Err()
	}
	if s.conn != nil {
		return s.conn, nil
	}
	err := s.start()
	return s.conn, err
}

func (s *Session) start() error {
	start := s.startHere
	if s.Remote != nil {
		start = s.Remote.Start
	}
	p, err := start()
	if err != nil {
		return err
	}
	s.process, s.conn = p, remote.New(p, remote.Options{Why: p.Why, Call: s.Wall, Keep: true})
	if s.recordings[s.part] == nil {
		s.recordings[s.part] = s.conn
	}
	return nil
}

// pipedProcess is a process on this machine that communicates through two pipes.
type pipedProcess struct {
	in, out *os.File
	cmd     *exec.Cmd
	gone    chan error // receives the process's error, or nil, when the process has ended
	group   *group     // the process's cgroups; nil if FindGroups has found none
}

func (p *pipedProcess) Read(b []byte) (int, error)  { return p.in.Read(b) }
func (p *pipedProcess) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p *pipedProcess) Close() error                { p.in.Close(); return p.out.Close() }

// End kills the process. If the process runs in a sandbox or in a cgroup of version 2, all processes
// that it has started end too.
func (p *pipedProcess) End() {
	_ = p.cmd.Process.Kill() // ignore the error, because Kill fails if the process has ended
	if p.group != nil {
		p.group.end()
	}
}

func (p *pipedProcess) Why(err error) error {
	if end := <-p.gone; end != nil {
		return end
	}
	return err
}

// startHere starts a process on this machine with Command.
func (s *Session) startHere() (Process, error) {
	fromJudge, questions, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, toJudge, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := s.Command()
	cmd.ExtraFiles = []*os.File{fromJudge, toJudge} // the program reads from descriptor 3 and writes to descriptor 4
	endWithParent(cmd)
	var own *group
	if groups, none := FindGroups(); none == nil {
		if own, err = groups.create(s.Limits); err == nil {
			own.startInGroup(cmd)
		}
	}
	if err == nil {
		err = cmd.Start()
	}
	fromJudge.Close()
	toJudge.Close()
	if err != nil {
		questions.Close()
		answers.Close()
		if own != nil {
			own.end()
		}
		return nil, err
	}
	p, begun := &pipedProcess{answers, questions, cmd, make(chan error, 1), own}, time.Now()
	go func() {
		err := cmd.Wait()
		if status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus); outOfTime(status, time.Since(begun), s.CPU) {
			err = remote.ErrTime
		}
		p.gone <- err
	}()
	return p, nil
}

// outOfTime reports whether a process ended because of the limit on processor time. At this limit
// the system sends SIGKILL, which a sandbox reports as an exit status. Because the system also sends
// SIGKILL for other reasons, outOfTime also checks that the process ran long enough to reach the
// limit: an answer runs on two threads, so it needs at least about half the limit in wall-clock time.
// outOfTime cannot check the processor time, because the system does not report it for processes in a
// sandbox.
func outOfTime(status syscall.WaitStatus, ran, limit time.Duration) bool {
	killed := status.Signaled() && status.Signal() == syscall.SIGKILL || status.ExitStatus() == 128+int(syscall.SIGKILL)
	return killed && limit > 0 && ran >= limit*45/100
}

// isLost reports whether the connection to the current process has ended.
func (s *Session) isLost() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn != nil && s.conn.Lost() != nil
}

// Close ends the current process, if any, and everything that the process has started.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return
	}
	if p, here := s.process.(*pipedProcess); here {
		s.Peak = max(s.Peak, peakBelow(strconv.Itoa(p.cmd.Process.Pid)))
	}
	s.conn.End(errors.New("the part is over"))
	s.process.End()
	s.process, s.conn = nil, nil
}

// keyNotRepeatable is the key of the verdict on a part that was Right at first, but failed when its calls
// were repeated. The part failed because a result differed, a call did not end, the program ended, or the
// results were too large to compare.
const keyNotRepeatable = "not-the-same"

// againAtMost is the time limit for repeating all calls of a part. The repetition contains a few more
// calls than the part itself, because it makes some calls several times.
const againAtMost = 40 * time.Second

// repeatCalls repeats the calls of every part that is Right, in a new process and in a different
// order. The part becomes Wrong if a result differs, because a function's result must depend only on
// its arguments, and not, for example, on the number of calls. It also becomes Wrong if the program
// ends or if the results are too large to compare. When the repetition runs out of time, the part
// becomes TimedOut if at least s.Wall has passed, and otherwise stays Right.
func (s *Session) repeatCalls(r *verify.Report, functions []string) error {
	s.part = -1 // −1 is not the index of any part: the repeated calls belong to no part
	for i := range r.Parts {
		p := &r.Parts[i]
		recording := s.recordings[i]
		if p.Outcome != verify.Right || recording == nil {
			continue
		}
		fresh, err := s.ensureConn()
		if err != nil {
			return err
		}
		began := time.Now()
		// A function may block forever when it is called again. End the process after a time limit,
		// so that grading continues.
		late := time.AfterFunc(verify.Patience(againAtMost), func() { fresh.End(remote.ErrTime) })
		differs, err := recording.Again(fresh, rand.New(rand.NewPCG(s.Seed, uint64(i))))
		late.Stop()
		s.Close()
		var message string
		switch {
		case errors.Is(err, remote.ErrTime) && time.Since(began) < s.Wall:
			continue // keep Right: perhaps no single call used up the processor time, but only all calls together
		case errors.Is(err, remote.ErrTime): // the outcome TimedOut makes Grade judge the answer once more
			p.Outcome, p.Key, p.Hint = verify.TimedOut, keyNotRepeatable, 0
			p.Message = "This part passed at first, but did not end in time when its calls were repeated in another order."
			continue
		case errors.Is(err, remote.ErrLong):
			message = "This part passed, but its results are too large to compare with a second run. Return only the result, not a part of a larger slice or matrix."
		case err != nil:
			message = differsMessage(fmt.Sprintf("its program ended: %v", err))
		case differs < 0:
			continue
		case differs < len(functions):
			message = differsMessage(functions[differs] + " gave a different result")
		default:
			message = differsMessage("a function that your function returned gave a different result")
		}
		p.Outcome, p.Key, p.Message, p.Hint = verify.Wrong, keyNotRepeatable, message, 0
	}
	return nil
}

// differsMessage returns the message about a part whose calls gave a different result, or ended the
// program, when they were repeated. `how` states what happened.
func differsMessage(how string) string {
	return "This part passed at first, but when its calls were repeated in another order, " + how +
		". A result must depend only on the arguments, and not on earlier calls or on random numbers without a fixed seed."
}
