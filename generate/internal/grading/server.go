package grading

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// A server compiles and runs answers for its clients.
type server struct {
	ctx   context.Context
	tools *Toolchain
	sum   string // hash of the compiler, the linker and the packages
	dir   string // folder in which the server stores programs

	mu   sync.Mutex
	jobs map[string]*job
}

// A job is a compiled program and the processes that run it.
type job struct {
	program string
	limits  Limits

	mu        sync.Mutex
	over      bool // true if the job has ended, so that no further process may start
	processes []*process
}

type process struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended or cannot start; reply does not change after that
	reply reply
}

// Serve compiles and runs answers for the clients of l until ctx ends. It stores the programs in
// dir. Serve should run in a container that contains nothing else, because the programs run with
// the rights of this process. Serve closes l.
func Serve(ctx context.Context, l net.Listener, t *Toolchain, dir string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sum, err := t.sum()
	if err != nil {
		return errors.Join(err, l.Close())
	}
	s := &server{ctx: ctx, tools: t, sum: sum, dir: dir, jobs: map[string]*job{}}
	var work sync.WaitGroup
	defer work.Wait()
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return errors.Join(err, l.Close())
		}
		work.Go(func() { s.serve(c) })
	}
}

// serve replies to the first request on a connection. If the request begins a job, serve also
// replies to all further requests on the connection.
func (s *server) serve(c net.Conn) {
	defer c.Close()
	stop := context.AfterFunc(s.ctx, func() { _ = c.Close() })
	defer stop()
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second)) // disconnect a client that sends nothing
	var q request
	if err := readFrame(c, maxQuestion, &q); err != nil {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	switch {
	case q.Compile != nil:
		s.serveJob(c, &q)
	case q.Run != "":
		s.mu.Lock()
		j := s.jobs[q.Run]
		s.mu.Unlock()
		if j == nil {
			_ = writeFrame(c, reply{Fault: "unknown job"})
			return
		}
		j.start(s.tools, c)
	default:
		_ = writeFrame(c, reply{Fault: "the first request on a connection must be compile or run"})
	}
}

// serveJob compiles a program and replies to requests about the program's processes until the client
// closes the connection. Then it ends the processes.
func (s *server) serveJob(c net.Conn, q *request) {
	dir, err := os.MkdirTemp(s.dir, "job-")
	if err != nil {
		_ = writeFrame(c, reply{Fault: err.Error()})
		return
	}
	defer os.RemoveAll(dir)
	now, err := s.tools.sum()
	if err == nil && now != s.sum {
		err = errors.New("the compiler, the linker or the packages have changed since the server began: restart the server")
	}
	if err != nil {
		_ = writeFrame(c, reply{Fault: err.Error(), Broken: true})
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, 5*time.Minute)
	err = s.tools.compile(ctx, q.Compile, dir)
	cancel()
	var refused *CompileError
	switch {
	case errors.As(err, &refused):
		_ = writeFrame(c, reply{Refused: Printable(refused.Message, MaxMessage), Unplaced: refused.Unplaced})
		return
	case err != nil:
		_ = writeFrame(c, reply{Fault: Printable(err.Error(), 500)})
		return
	}
	j, key := &job{program: filepath.Join(dir, "answer"), limits: q.Limits}, rand.Text()
	s.mu.Lock()
	s.jobs[key] = j
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.jobs, key)
		s.mu.Unlock()
		j.mu.Lock()
		defer j.mu.Unlock()
		j.over = true
		for _, p := range j.processes {
			p.end(0)
		}
	}()
	err = writeFrame(c, reply{Key: key})
	for err == nil {
		var q request
		if err = readFrame(c, maxReply, &q); err == nil {
			err = writeFrame(c, j.end(q.End))
		}
	}
}

// start starts the program in a new process, which then uses the connection c.
func (j *job) start(t *Toolchain, c net.Conn) {
	unix, ok := c.(*net.UnixConn)
	if !ok {
		return
	}
	f, err := unix.File()
	if err != nil {
		_ = writeFrame(c, reply{Fault: err.Error()})
		return
	}
	defer f.Close()
	cmd := t.Command(j.program, j.limits)()
	cmd.ExtraFiles = []*os.File{f, f} // the program reads from descriptor 3 and writes to descriptor 4
	cmd.Env, cmd.Dir = []string{"PATH=/usr/bin:/bin", "GOMAXPROCS=2"}, "/"
	endWithParent(cmd)
	p := &process{cmd: cmd, ended: make(chan struct{})}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.over {
		return
	}
	j.processes = append(j.processes, p)
	// The client expects the reply before any output of the program.
	if writeFrame(c, reply{Process: len(j.processes)}) != nil {
		close(p.ended)
		return
	}
	if err := cmd.Start(); err != nil {
		p.reply = reply{Fault: fmt.Sprintf("the program does not start: %v", err)}
		close(p.ended)
		return
	}
	begun := time.Now()
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // ignore the error, because ProcessState contains the result
		state := cmd.ProcessState
		status, _ := state.Sys().(syscall.WaitStatus)
		switch {
		case outOfTime(status, time.Since(begun), j.limits.CPU):
			p.reply.Time = true
		case status.Signaled(): // describe the end of a process in the same words as a sandbox
			p.reply.Ended = fmt.Sprintf("exit status %d", 128+int(status.Signal()))
		default:
			p.reply.Ended = state.String()
		}
	}()
}

// end stops a process of the job and reports how it ended. The job's first process has the number 1.
func (j *job) end(number int) reply {
	j.mu.Lock()
	defer j.mu.Unlock()
	if number < 1 || number > len(j.processes) {
		return reply{Fault: fmt.Sprintf("invalid process number %d: want 1 to %d", number, len(j.processes))}
	}
	p := j.processes[number-1]
	p.end(time.Second) // wait a second, because the process may be about to end by itself
	return p.reply
}

// end gives the process the duration `wait` to end by itself. If the process has not ended by then,
// end kills it.
func (p *process) end(wait time.Duration) {
	select {
	case <-p.ended: // the process has already ended, or has never started
		return
	default:
	}
	select {
	case <-p.ended:
		return
	case <-time.After(wait):
	}
	_ = p.cmd.Process.Kill() // ignore the error, because Kill fails if the process has ended
	<-p.ended
}
