// Package uuid replaces the package that makes identifiers for the package gonbui. gonbui uses the
// identifiers for parts of a page. The replacement applies only in the Go workspace that compiles a
// notebook's cells. docker/setup.sh puts this package in place of the original. The original
// imports packages for networking and databases. With the original, the linker would have to read
// the code of those packages for every cell that displays something.
package uuid

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"
)

// UUID is a universally unique identifier.
type UUID [16]byte

// NewV7 returns an identifier of version 7 (RFC 9562, section 5.7). It consists of the milliseconds
// since 1970 in 48 bits, the version and variant bits, and 74 random bits. The error is always nil.
func NewV7() (UUID, error) {
	var u UUID
	binary.BigEndian.PutUint64(u[:], uint64(time.Now().UnixMilli())<<16|0x7000|rand.Uint64()&0x0fff)
	binary.BigEndian.PutUint64(u[8:], 1<<63|rand.Uint64()&(1<<62-1))
	return u, nil
}

// String returns u as text of the form 01234567-89ab-7def-8123-456789abcdef.
func (u UUID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
