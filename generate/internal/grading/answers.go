package grading

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// Where a container may not make namespaces, as in most pods, answers are compiled and
// run in a container of their own. Judge and server share nothing but a Unix socket, and
// what the server says is not believed: an answer that escapes there speaks for it.
//
// On each connection the judge asks and the server replies, in frames: a length of four
// bytes, little-endian, and JSON. The first connection is that of the job and lasts as
// long as it: the program is compiled there, and later how its processes ended is asked.
// Each process has a connection of its own, which after one reply is the program's: what
// goes over it then are messages of package remote.

// A question is one of three.
type question struct {
	Compile *program `json:"compile,omitempty"` // begins a job
	Run     string   `json:"run,omitempty"`     // starts the program of the job with this key; this connection is then the program's
	End     int      `json:"end,omitempty"`     // ends a process of this job, by its number from 1

	Limits Limits `json:"limits,omitzero"` // of the program, with Compile
}

type reply struct {
	Key     string `json:"key,omitempty"`     // of the job
	Refused string `json:"refused,omitempty"` // by the compiler, and why

	Unplaced bool `json:"unplaced,omitempty"` // with Refused: see CompileError

	Process int    `json:"process,omitempty"` // its number
	Time    bool   `json:"time,omitempty"`    // the process has used up its time
	Ended   string `json:"ended,omitempty"`   // how else it ended
	Fault   string `json:"fault,omitempty"`   // of the server's machine
	Broken  bool   `json:"broken,omitempty"`  // with Fault: so that no answer can be judged any more
}

// The most bytes of a frame: a question holds a program, which was part of a notebook.
const (
	maxQuestion = 128 << 20
	maxReply    = 1 << 20
)

func writeFrame(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

// readFrame takes exactly one frame off r.
func readFrame(r io.Reader, most uint32, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > most {
		return fmt.Errorf("a frame of %d bytes; %d are the limit", n, most)
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(n))) // grows with what comes
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// Elsewhere is a compiled answer at a server. What is wrong with the server is a fault,
// which stays: then nothing that was asked of the answer is a verdict on it.
type Elsewhere struct {
	socket   string
	patience time.Duration
	key      string

	mu    sync.Mutex
	job   net.Conn
	fault error
}

// elsewhere compiles a program at the server of t.
func (t *Toolchain) elsewhere(ctx context.Context, p *program, l Limits) (*Elsewhere, error) {
	e := &Elsewhere{socket: t.Socket, patience: t.Patience}
	if e.patience == 0 {
		e.patience = 2 * time.Minute
	}
	var err error
	if e.job, err = dial(ctx, e.socket); err != nil {
		return nil, err
	}
	done := e.ask(question{Compile: p, Limits: l})
	switch {
	case e.fault != nil:
		e.Close()
		return nil, e.fault
	case done.Refused != "":
		e.Close()
		return nil, &CompileError{Printable(done.Refused, MaxMessage), done.Unplaced}
	}
	e.key = done.Key
	return e, nil
}

func dial(ctx context.Context, socket string) (net.Conn, error) {
	d := net.Dialer{Timeout: 10 * time.Second}
	return d.DialContext(ctx, "unix", socket)
}

// Close ends the job and its processes.
func (e *Elsewhere) Close() { _ = e.job.Close() } // nothing follows

// Fault is what was wrong with the server.
func (e *Elsewhere) Fault() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fault
}

// failed keeps the first fault.
func (e *Elsewhere) failed(err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fault == nil {
		e.fault = fmt.Errorf("the server of answers at %s: %w", e.socket, err)
	}
	return e.fault
}

// ask asks on the connection of the job; a reply that does not come is a fault.
func (e *Elsewhere) ask(q question) reply {
	e.mu.Lock()
	r, err := exchange(e.job, q, e.patience)
	e.mu.Unlock()
	if err != nil {
		_ = e.failed(err)
	}
	return r
}

func exchange(c net.Conn, q question, patience time.Duration) (r reply, err error) {
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return r, err
	}
	if err := writeFrame(c, q); err != nil {
		return r, err
	}
	if err := readFrame(c, maxReply, &r); err != nil {
		return r, err
	}
	if r.Fault != "" {
		err := errors.New(Printable(r.Fault, 500))
		if r.Broken {
			err = &Fault{err}
		}
		return r, err
	}
	return r, c.SetDeadline(time.Time{})
}

// Start starts the program anew and connects to it.
func (e *Elsewhere) Start() (Process, error) {
	if err := e.Fault(); err != nil {
		return nil, err
	}
	c, err := dial(context.Background(), e.socket)
	if err != nil {
		return nil, e.failed(err)
	}
	r, err := exchange(c, question{Run: e.key}, e.patience)
	if err == nil && r.Process < 1 {
		err = fmt.Errorf("process %d", r.Process)
	}
	if err != nil {
		return nil, e.failed(errors.Join(err, c.Close()))
	}
	p := &served{Conn: c}
	p.end = sync.OnceValue(func() reply { return e.ask(question{End: r.Process}) })
	p.fault = e.Fault
	return p, nil
}

// served is a process at a server.
type served struct {
	net.Conn
	end   func() reply
	fault func() error
}

// Why is the reason why the connection ended.
func (p *served) Why(err error) error {
	r := p.end()
	switch fault := p.fault(); {
	case fault != nil:
		return fault
	case r.Time:
		return remote.ErrTime
	case r.Ended != "":
		return errors.New(Printable(r.Ended, 200))
	}
	return err
}

func (p *served) End() {
	_ = p.Close()
	p.end()
}

// MaxMessage is how long a message about an answer may be, in characters.
const MaxMessage = 20_000

// Printable returns the printable characters of a text that is not trusted, at most so many.
func Printable(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i] + "…"
		}
	}
	return text
}

// Reachable waits ten seconds at most for a server at a socket.
func Reachable(ctx context.Context, socket string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		c, err := dial(ctx, socket)
		if err == nil {
			return c.Close()
		}
		begins := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
		select {
		case <-ctx.Done():
			begins = false
		case <-time.After(200 * time.Millisecond):
		}
		if !begins {
			return fmt.Errorf("no server of answers at %s: %w; start one: generate answers %s", socket, err, socket)
		}
	}
}
