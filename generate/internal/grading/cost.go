package grading

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Cost is what judging an answer has taken: time of the clock, and the most memory at a
// time, in bytes, 0 where the system does not say.
type Cost struct {
	Compile, Judge            time.Duration
	JudgeMemory, AnswerMemory int64
}

// Add adds the cost of another answer.
func (c *Cost) Add(other Cost) {
	c.Compile += other.Compile
	c.Judge += other.Judge
	c.JudgeMemory = max(c.JudgeMemory, other.JudgeMemory)
	c.AnswerMemory = max(c.AnswerMemory, other.AnswerMemory)
}

// peakMemory is the most memory that a process has had, by what the system says of it, 0
// if it says nothing.
func peakMemory(pid string) int64 {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// peakBelow is the most memory that one of a process and those that it has started has had.
func peakBelow(pid string) int64 {
	peak := peakMemory(pid)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%s/task/%[1]s/children", pid))
	if err != nil {
		return peak
	}
	for _, child := range strings.Fields(string(text)) {
		peak = max(peak, peakBelow(child))
	}
	return peak
}
