package uuid

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestNewV7(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 1000 {
		before := time.Now().UnixMilli()
		u, err := NewV7()
		after := time.Now().UnixMilli()
		s := u.String()
		if err != nil || !form.MatchString(s) || seen[s] {
			t.Fatalf("got the identifier %s (error %v, repeated: %v), want a new identifier of version 7", s, err, seen[s])
		}
		seen[s] = true
		if at, err := strconv.ParseInt(strings.ReplaceAll(s, "-", "")[:12], 16, 64); err != nil || at < before || at > after {
			t.Fatalf("the identifier %s contains the time %d ms, want %d to %d (error %v)", s, at, before, after, err)
		}
	}
}
