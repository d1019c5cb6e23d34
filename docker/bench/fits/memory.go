package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
)

// weight is a line about the memory that one thing took.
type weight struct {
	Extra float64 `json:"extra_mb"` // the most that was resident meanwhile, above that before; the kernel counts to some 2 MB
	Error string  `json:"error,omitempty"`
}

// weighed does something once, after the collector has run and given back what is free.
func weighed(do func() error) (w weight) {
	debug.FreeOSMemory()
	err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the high-water mark is what there is now
	if err != nil {
		return weight{Error: err.Error()}
	}
	before, err := resident("VmRSS")
	if err == nil {
		err = do()
	}
	most := before
	if err == nil {
		most, err = resident("VmHWM")
	}
	if err != nil {
		return weight{Error: err.Error()}
	}
	return weight{Extra: most - before}
}

// resident returns a line of the status of this process, in MB.
func resident(line string) (float64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(`(?m)^` + line + `:\s*(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("/proc/self/status has no line %s", line)
	}
	kB, err := strconv.ParseFloat(string(m[1]), 64)
	return kB / 1024, err
}
