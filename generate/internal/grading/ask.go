package grading

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"syscall"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// A Session asks an answer's program; Command makes the process that runs it, confined
// or not. Each part of a report gets a process of its own, and a part that is Right
// another one, which is asked the same in another order.
type Session struct {
	Command func() *exec.Cmd
	CPU     time.Duration // after which the system ends the process; 0 for none
	Wall    time.Duration // how long one call may take, whatever it waits for; 0 for no limit
	Seed    uint64        // what the other order is drawn from

	Limits Limits // of the cgroup of each process, where this machine has cgroups

	Peak int64 // the most memory that a process had, in bytes

	process *exec.Cmd
	group   *group // nil for none
	conn    *remote.Conn
	part    int                  // of the report that is being made
	asked   map[int]*remote.Conn // the connection of each part
}

// Session asks a program that this toolchain has compiled. Who waits gets no more time of
// the clock than twice that of the processor.
func (t *Toolchain) Session(program string, l Limits, seed uint64) *Session {
	return &Session{Command: t.Command(program, l), CPU: l.CPU, Wall: 2 * l.CPU, Seed: seed, Limits: l}
}

// Report calls one of the exercise's checks with stand-ins for the learner's functions,
// of which names gives those of the check's parameters and functions all, in the order of
// the program.
func (s *Session) Report(check any, names, functions []string) (*verify.Report, error) {
	f := reflect.ValueOf(check)
	in := make([]reflect.Value, len(names))
	for i, name := range names {
		number := -1
		for k, known := range functions {
			if known == name {
				number = k
			}
		}
		t := f.Type().In(i)
		if number < 0 || t.Kind() != reflect.Func {
			return nil, fmt.Errorf("the check asks for %s, a %v", name, t)
		}
		in[i] = reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			return s.current().Function(number, t).Call(args)
		})
	}
	s.part, s.asked = -1, map[int]*remote.Conn{}
	verify.BeforeParts(func() { s.Close(); s.part++ })
	defer verify.BeforeParts(nil)
	defer s.Close()
	r, ok := f.Call(in)[0].Interface().(*verify.Report)
	if !ok || r == nil {
		return nil, fmt.Errorf("the check returns a %v", f.Type().Out(0))
	}
	if s.part+1 != len(r.Parts) {
		return nil, fmt.Errorf("the check has judged %d parts and reports %d", s.part+1, len(r.Parts))
	}
	s.Close()
	return r, s.again(r, functions)
}

// current is the connection to the process of this part.
func (s *Session) current() *remote.Conn {
	if s.conn == nil {
		if err := s.start(); err != nil {
			panic(&remote.Panic{Lost: err})
		}
	}
	return s.conn
}

type pipe struct{ in, out *os.File }

func (p pipe) Read(b []byte) (int, error)  { return p.in.Read(b) }
func (p pipe) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p pipe) Close() error                { p.in.Close(); return p.out.Close() }

func (s *Session) start() error {
	fromJudge, questions, err := os.Pipe()
	if err != nil {
		return err
	}
	answers, toJudge, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := s.Command()
	cmd.ExtraFiles = []*os.File{fromJudge, toJudge} // 3 and 4
	if groups, none := FindGroups(); none == nil {
		if s.group, err = groups.make(s.Limits); err == nil {
			s.group.take(cmd)
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
		if s.group != nil {
			s.group.end()
			s.group = nil
		}
		return err
	}
	gone, begun := make(chan error, 1), time.Now()
	go func() {
		err := cmd.Wait()
		// The system ends with SIGKILL who has used up the processor's time; of processes
		// in a sandbox it does not say how much they have used.
		status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
		killed := status.Signaled() && status.Signal() == syscall.SIGKILL || status.ExitStatus() == 128+int(syscall.SIGKILL)
		if killed && s.CPU > 0 && time.Since(begun) >= s.CPU*9/10 {
			err = remote.ErrTime
		}
		gone <- err
	}()
	why := func(err error) error {
		if end := <-gone; end != nil {
			return end
		}
		return err
	}
	s.process, s.conn = cmd, remote.New(pipe{answers, questions}, remote.Options{Why: why, Call: s.Wall, Keep: true})
	if s.asked[s.part] == nil {
		s.asked[s.part] = s.conn
	}
	return nil
}

// Close ends the process, if there is one, and all that it has started.
func (s *Session) Close() {
	if s.conn == nil {
		return
	}
	s.Peak = max(s.Peak, peakBelow(strconv.Itoa(s.process.Process.Pid)))
	s.conn.End(fmt.Errorf("the part is over"))
	_ = s.process.Process.Kill() // it may have ended
	if s.group != nil {
		s.group.end()
	}
	s.process, s.conn, s.group = nil, nil, nil
}
