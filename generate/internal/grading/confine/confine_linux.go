//go:build linux && (amd64 || arm64)

// Package confine installs a filter that denies this process most system calls. The process can
// still make the system calls that a program needs in order to compute. The program of an answer
// imports this package. The package's init function installs the filter before the first line of the
// answer runs. The answer cannot remove the filter, even if the answer runs machine code.
//
// The sandbox around the program protects the machine's files and network. The package's filter
// denies the use of memory that does not count towards any limit: shared mappings, memfds and pipes.
// The filter also denies access to other processes, and to all parts of the kernel that an answer
// does not need. Without a sandbox (generate answers, generate check, and grade --no-isolation),
// only the filter keeps answers from affecting each other.
package confine

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// These constants are offsets of fields in the kernel's struct seccomp_data, where each argument of
// a system call takes 8 bytes. The filter examines the lower 4 bytes of an argument, which come
// first on amd64 and arm64.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

// arch is the architecture whose system call numbers the rules use.
var arch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]

// A rule allows the system call with the given number. But if one of the conditions in the field
// `refused` is true, the rule denies the call.
type rule struct {
	number  uint32
	refused []condition
}

type condition struct {
	arg   uint32 // index of the call's argument, from 0
	test  bpf.JumpTest
	value uint32
}

// threadFlags contains the flags that Go's runtime sets to start a thread. The runtime sets
// CLONE_SETTLS, the flag for thread-local storage, only on amd64. The filter denies all other flags,
// for example the flags for a new process or a namespace.
const threadFlags = unix.CLONE_SETTLS | unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND |
	unix.CLONE_SYSVSEM | unix.CLONE_THREAD

// allowedCalls returns rules for the system calls that Go's runtime needs, and for the calls that
// read or write open files. `pid` is the id of this process, which may send signals only to itself.
func allowedCalls(pid uint32) []rule {
	list := []rule{
		// Deny shared mappings and mappings that grow downwards, because RLIMIT_DATA does not count them.
		{unix.SYS_MMAP, []condition{{2, bpf.JumpBitsSet, unix.PROT_EXEC}, {3, bpf.JumpBitsSet, unix.MAP_SHARED | unix.MAP_GROWSDOWN}}},
		{unix.SYS_CLONE,
			[]condition{{0, bpf.JumpBitsNotSet, unix.CLONE_THREAD}, {0, bpf.JumpBitsSet, ^uint32(threadFlags)}}},
		{unix.SYS_TGKILL, []condition{{0, bpf.JumpNotEqual, pid}}},
		{unix.SYS_PRCTL, []condition{{0, bpf.JumpNotEqual, unix.PR_SET_VMA}}},
		{unix.SYS_CLOSE, []condition{{0, bpf.JumpLessThan, 5}}}, // descriptors 3 and 4 connect the program to the judge
		{unix.SYS_FCNTL, []condition{{1, bpf.JumpEqual, unix.F_DUPFD}, {1, bpf.JumpGreaterThan, unix.F_SETFL}}},
	}
	for _, number := range []uint32{
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_FSTAT, unix.SYS_LSEEK,
		unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY,
		unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP,
		unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_RT_SIGACTION,
		unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL, unix.SYS_EXIT,
		unix.SYS_EXIT_GROUP, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT,
		unix.SYS_EVENTFD2, unix.SYS_GETRANDOM,
	} {
		list = append(list, rule{number: number})
	}
	return list
}

// compileFilter compiles the rules to a BPF program. A denied call returns EPERM. A call with the
// numbers of a different architecture (int 0x80 on amd64) kills the process, because the numbers
// have a different meaning there.
func compileFilter(list []rule) []bpf.Instruction {
	refuse := bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)}
	code := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS},
		bpf.LoadAbsolute{Off: offNumber, Size: 4},
	}
	for _, r := range list {
		var body []bpf.Instruction
		for _, c := range r.refused {
			body = append(body, bpf.LoadAbsolute{Off: offArgs + 8*c.arg, Size: 4},
				bpf.JumpIf{Cond: c.test, Val: c.value, SkipFalse: 1}, refuse)
		}
		body = append(body, bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW})
		code = append(append(code, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: r.number, SkipTrue: uint8(len(body))}),
			body...)
	}
	return append(code, refuse)
}

// install applies the filter to all threads of this process.
func install() error {
	raw, err := bpf.Assemble(compileFilter(allowedCalls(uint32(unix.Getpid()))))
	if err != nil {
		return err
	}
	code := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		code[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	// Set the flag no_new_privs for the current thread. The system call with TSYNC, below, copies
	// this flag and the filter to all threads.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	other, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	switch {
	case errno != 0:
		return errno
	case other != 0:
		return fmt.Errorf("thread %d already has a filter of its own", other)
	}
	return nil
}

func init() {
	if err := install(); err != nil {
		fmt.Fprintf(os.Stderr, "the kernel rejects a filter of system calls (seccomp): %v\n", err)
		os.Exit(113)
	}
}
