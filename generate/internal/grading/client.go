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

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// The code in this file connects the judge to a server that compiles and runs answers. A judge
// needs the server if its container must not create namespaces, as in most pods. The server runs in
// a separate container and shares only a Unix socket with the judge. The judge does not trust the
// server's replies, because an answer can gain control of the server's container.
//
// On each connection, the judge sends requests of type request and the server sends replies. Each
// request or reply is a frame: the length of a JSON text as four bytes, little-endian, followed by the
// text. A job is a compiled program and the processes that run it. The first connection of a job
// controls the job and stays open as long as the job exists. On this connection, the judge first
// sends the request Compile. Later it sends a request End for each process that must end. Each
// process of the job has a separate connection, on which the judge sends the request Run. After the
// server's reply, this connection carries messages of package remote between the judge and the
// program.

// A request is a message that the judge sends to the server. Exactly one of its fields Compile,
// Run and End is set.
type request struct {
	Compile *program `json:"compile,omitempty"` // the program to compile at the beginning of a job
	Run     string   `json:"run,omitempty"`     // key of the job in which to start a new process
	End     int      `json:"end,omitempty"`     // number of the process to end; the job's first process has the number 1

	Limits Limits `json:"limits,omitzero"` // limits of the program's resources, sent with Compile
}

type reply struct {
	Key     string `json:"key,omitempty"`     // key of the job
	Refused string `json:"refused,omitempty"` // message of the compiler if the compiler refused the program

	Unplaced bool `json:"unplaced,omitempty"` // sent with Refused: the field Unplaced of the CompileError

	Process int    `json:"process,omitempty"` // number of the new process
	Time    bool   `json:"time,omitempty"`    // true if the process has used up its time
	Ended   string `json:"ended,omitempty"`   // reason why the process ended; "" if its time ran out
	Fault   string `json:"fault,omitempty"`   // error of the server or its machine; "" if there is no fault
	Broken  bool   `json:"broken,omitempty"`  // sent with Fault: true if the server can no longer judge any answer
}

// maxQuestion is the maximum number of bytes in the first request on a connection, and maxReply is the
// maximum in any other frame. The first request may be larger, because it can contain a program from a
// notebook.
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

// readFrame reads one frame of at most maxBytes bytes from r and decodes its JSON into v. It does
// not read beyond the frame.
func readFrame(r io.Reader, maxBytes uint32, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxBytes {
		return fmt.Errorf("a frame has %d bytes, want at most %d", n, maxBytes)
	}
	// ReadAll allocates memory only for data that actually arrive. Therefore a wrong length in the
	// frame cannot exhaust the memory.
	text, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// A RemoteAnswer is an answer that a server has compiled and can run. If a problem with the server
// occurs, Fault returns an error. The caller must then discard all results of this answer,
// including earlier ones.
type RemoteAnswer struct {
	socket       string
	replyTimeout time.Duration
	key          string

	mu    sync.Mutex
	job   net.Conn
	fault error
}

// compileRemote compiles a program on the server at t.Socket.
func (t *Toolchain) compileRemote(ctx context.Context, p *program, l Limits) (*RemoteAnswer, error) {
	e := &RemoteAnswer{socket: t.Socket, replyTimeout: t.ReplyTimeout}
	if e.replyTimeout == 0 {
		e.replyTimeout = 2 * time.Minute
	}
	var err error
	if e.job, err = dial(ctx, e.socket); err != nil {
		return nil, err
	}
	done := e.send(request{Compile: p, Limits: l})
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
func (e *RemoteAnswer) Close() { _ = e.job.Close() } // ignore the error, because the connection is not used again

// Fault returns the first problem with the server, or nil if no problem has occurred.
func (e *RemoteAnswer) Fault() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fault
}

// setFault stores err as the fault unless a fault is already stored. It returns the stored fault.
func (e *RemoteAnswer) setFault(err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fault == nil {
		e.fault = fmt.Errorf("the answers server at %s: %w", e.socket, err)
	}
	return e.fault
}

// send sends the request q on the job's connection and returns the reply. If no valid reply arrives, or
// if the reply reports a fault, send stores a fault.
func (e *RemoteAnswer) send(q request) reply {
	e.mu.Lock()
	r, err := exchange(e.job, q, e.replyTimeout)
	e.mu.Unlock()
	if err != nil {
		_ = e.setFault(err)
	}
	return r
}

func exchange(c net.Conn, q request, timeout time.Duration) (r reply, err error) {
	if err := c.SetDeadline(time.Now().Add(timeout)); err != nil {
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

// Start starts the program in a new process on the server and connects to the process.
func (e *RemoteAnswer) Start() (Process, error) {
	if err := e.Fault(); err != nil {
		return nil, err
	}
	c, err := dial(context.Background(), e.socket)
	if err != nil {
		return nil, e.setFault(err)
	}
	r, err := exchange(c, request{Run: e.key}, e.replyTimeout)
	if err == nil && r.Process < 1 {
		err = fmt.Errorf("invalid reply: process number %d, want at least 1", r.Process)
	}
	if err != nil {
		return nil, e.setFault(errors.Join(err, c.Close()))
	}
	p := &serverProcess{Conn: c}
	p.end = sync.OnceValue(func() reply { return e.send(request{End: r.Process}) })
	p.fault = e.Fault
	return p, nil
}

// serverProcess is a process that runs on a server.
type serverProcess struct {
	net.Conn
	end   func() reply
	fault func() error
}

// Why ends the process and returns the reason why it ended, or the problem with the server if there
// is one. If the server states no reason, Why returns err.
func (p *serverProcess) Why(err error) error {
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

func (p *serverProcess) End() {
	_ = p.Close()
	p.end()
}

// MaxMessage is the maximum length of a message about an answer, in characters.
const MaxMessage = 20_000

// Printable returns the printable characters, tabs and newlines of an untrusted text. If the text
// has more than maxChars characters, Printable cuts it and appends an ellipsis.
func Printable(text string, maxChars int) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	n := 0
	for i := range text {
		if n++; n > maxChars {
			return text[:i] + "…"
		}
	}
	return text
}

// Reachable waits up to ten seconds until a server accepts connections at the socket. It returns an
// error if the socket still does not exist or refuses connections after this time. If connecting fails
// for any other reason, Reachable does not try again and returns an error.
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
			return fmt.Errorf("no server for answers at %s: %w; start one with: %s answers %s", socket, err, cell.Command(), socket)
		}
	}
}
