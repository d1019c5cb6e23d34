package grading

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// A Session asks an answer's program; Command makes the process that runs it, confined
// or not. Each part of a report gets a process of its own.
type Session struct {
	Command func() *exec.Cmd
	CPU     time.Duration // after which the system ends the process; 0 for none
	Wall    time.Duration // how long one call may take, whatever it waits for; 0 for no limit
	Seed    uint64        // what the other order is drawn from

	Limits Limits // of the cgroup of each process, where this machine has cgroups

	// Elsewhere starts the process in place of Command, unless it is nil.
	Elsewhere *Elsewhere

	// Context, unless it is nil, ends the session: from then on nothing answers.
	Context context.Context

	Peak int64 // the most memory that a process had, in bytes; of those elsewhere it is not known

	mu      sync.Mutex // a part whose time is over may still be starting a process
	process Process
	conn    *remote.Conn
	part    int                  // of the report that is being made
	asked   map[int]*remote.Conn // the connection of each part
}

// Session asks a program that this toolchain has compiled. Who waits gets no more time of
// the clock than twice that of the processor.
func (t *Toolchain) Session(program string, l Limits, seed uint64) *Session {
	s := newSession(l, seed)
	s.Command = t.Command(program, l)
	return s
}

func newSession(l Limits, seed uint64) *Session {
	return &Session{CPU: l.CPU, Wall: 2 * l.CPU, Seed: seed, Limits: l}
}

// A Process runs an answer's program, which is at the other end of its connection.
type Process interface {
	io.ReadWriteCloser
	Why(error) error // the reason why the connection ended, where reading says no more than that
	End()            // ends it
}

// Report calls one of the exercise's checks with stand-ins for the learner's functions,
// of which names gives those of the check's parameters and functions all, in the order of
// the program.
func (s *Session) Report(check any, names, functions []string) (*verify.Report, error) {
	in, err := s.standIns(check, names, functions)
	if err != nil {
		return nil, err
	}
	s.part, s.asked = -1, map[int]*remote.Conn{}
	verify.BeforeParts(func() { s.Close(); s.next() })
	defer verify.BeforeParts(nil)
	defer s.Close()
	r := callReport(check, in)
	if r == nil {
		return nil, fmt.Errorf("the check returns %v, want a report", reflect.TypeOf(check).Out(0))
	}
	if s.part+1 != len(r.Parts) {
		return nil, fmt.Errorf("the check has judged %d parts and reports %d", s.part+1, len(r.Parts))
	}
	s.Close()
	err = s.again(r, functions)
	if s.Elsewhere != nil {
		err = errors.Join(s.Elsewhere.Fault(), err)
	}
	return r, err
}

// callReport calls a check and returns its report, nil if it returns none.
func callReport(check any, in []reflect.Value) *verify.Report {
	r, _ := reflect.ValueOf(check).Call(in)[0].Interface().(*verify.Report)
	return r
}

// standIns are functions of the types that a check takes; each calls the one of that name in
// the program.
func (s *Session) standIns(check any, names, functions []string) ([]reflect.Value, error) {
	f := reflect.TypeOf(check)
	in := make([]reflect.Value, len(names))
	for i, name := range names {
		number := slices.Index(functions, name)
		t := f.In(i)
		if number < 0 || t.Kind() != reflect.Func {
			return nil, fmt.Errorf("the check asks for %s, a %v", name, t)
		}
		in[i] = reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			return s.current().Function(number, t).Call(args)
		})
	}
	return in, nil
}

// next is called before each part.
func (s *Session) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.part++
}

// current is the connection to the process of this part.
func (s *Session) current() *remote.Conn {
	conn, err := s.connected()
	if err != nil {
		panic(&remote.Panic{Lost: err})
	}
	return conn
}

// connected is the connection to the process that runs, or to one that it starts.
func (s *Session) connected() (*remote.Conn, error) {
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
	start := s.here
	if s.Elsewhere != nil {
		start = s.Elsewhere.Start
	}
	p, err := start()
	if err != nil {
		return err
	}
	s.process, s.conn = p, remote.New(p, remote.Options{Why: p.Why, Call: s.Wall, Keep: true})
	if s.asked[s.part] == nil {
		s.asked[s.part] = s.conn
	}
	return nil
}

// piped is a process of this machine.
type piped struct {
	in, out *os.File
	cmd     *exec.Cmd
	gone    chan error // how it ended
	group   *group     // nil for none
}

func (p *piped) Read(b []byte) (int, error)  { return p.in.Read(b) }
func (p *piped) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p *piped) Close() error                { p.in.Close(); return p.out.Close() }

// End ends the process and all that it has started.
func (p *piped) End() {
	_ = p.cmd.Process.Kill() // it may have ended
	if p.group != nil {
		p.group.end()
	}
}

func (p *piped) Why(err error) error {
	if end := <-p.gone; end != nil {
		return end
	}
	return err
}

// here starts the process by Command.
func (s *Session) here() (Process, error) {
	fromJudge, questions, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, toJudge, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := s.Command()
	cmd.ExtraFiles = []*os.File{fromJudge, toJudge} // 3 and 4
	dependent(cmd)
	var own *group
	if groups, none := FindGroups(); none == nil {
		if own, err = groups.make(s.Limits); err == nil {
			own.take(cmd)
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
	p, begun := &piped{answers, questions, cmd, make(chan error, 1), own}, time.Now()
	go func() {
		err := cmd.Wait()
		if status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus); outOfTime(status, time.Since(begun), s.CPU) {
			err = remote.ErrTime
		}
		p.gone <- err
	}()
	return p, nil
}

// outOfTime reports whether the limit of processor time has ended a process: the system
// then sends SIGKILL, which a sandbox tells as an exit status. How much was used it does
// not say of processes in a sandbox, and of others counts in another way than the limit
// does; but two threads, which is what an answer gets, need half that time at least.
func outOfTime(status syscall.WaitStatus, ran, limit time.Duration) bool {
	killed := status.Signaled() && status.Signal() == syscall.SIGKILL || status.ExitStatus() == 128+int(syscall.SIGKILL)
	return killed && limit > 0 && ran >= limit*45/100
}

// lost reports whether the connection to the process has ended.
func (s *Session) lost() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn != nil && s.conn.Lost() != nil
}

// Close ends the process, if there is one, and all that it has started.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return
	}
	if p, here := s.process.(*piped); here {
		s.Peak = max(s.Peak, peakBelow(strconv.Itoa(p.cmd.Process.Pid)))
	}
	s.conn.End(errors.New("the part is over"))
	s.process.End()
	s.process, s.conn = nil, nil
}
