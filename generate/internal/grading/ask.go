package grading

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
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

	// Elsewhere starts the process in place of Command, unless it is nil.
	Elsewhere *Elsewhere

	mu   sync.Mutex // a part whose time is over may still be starting a process
	end  func()     // ends the process
	conn *remote.Conn
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
	verify.BeforeParts(s.Close)
	defer verify.BeforeParts(nil)
	defer s.Close()
	r, ok := f.Call(in)[0].Interface().(*verify.Report)
	if !ok || r == nil {
		return nil, fmt.Errorf("the check returns a %v", f.Type().Out(0))
	}
	if s.Elsewhere != nil {
		s.Close()
		return r, s.Elsewhere.Fault()
	}
	return r, nil
}

// current is the connection to the process of this part.
func (s *Session) current() *remote.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		if err := s.start(); err != nil {
			panic(&remote.Panic{Lost: err})
		}
	}
	return s.conn
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
	s.end, s.conn = p.End, remote.New(p, remote.Options{Why: p.Why})
	return nil
}

// piped is a process of this machine.
type piped struct {
	in, out *os.File
	cmd     *exec.Cmd
	gone    chan error // how it ended
}

func (p *piped) Read(b []byte) (int, error)  { return p.in.Read(b) }
func (p *piped) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p *piped) Close() error                { p.in.Close(); return p.out.Close() }
func (p *piped) End()                        { _ = p.cmd.Process.Kill() } // it may have ended

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
	err = cmd.Start()
	fromJudge.Close()
	toJudge.Close()
	if err != nil {
		questions.Close()
		answers.Close()
		return nil, err
	}
	p, begun := &piped{answers, questions, cmd, make(chan error, 1)}, time.Now()
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

// Close ends the process, if there is one.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return
	}
	s.conn.End(fmt.Errorf("the part is over"))
	s.end()
	s.end, s.conn = nil, nil
}
