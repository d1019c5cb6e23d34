package exercises

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// varied returns the text of the fixture `good` with the constant c in the title, in every section and
// in the answer. For seed n, the value of c is 2 + n.
func varied() Text {
	text := strings.NewReplacer("A title with", "A title with [[c]] and", "Do it.", "Do $[[c]]x$.", "First.",
		"First [[c]].",
		"Because.", "Because of [[c]].", "%%\n", "%%\nf([[c]])\n", "Onwards.", "Onwards to [[c]].").Replace(good)
	return Text{
		Name: "x/exercise.md", Markdown: text,
		AnswerName: "x/answer_test.go",
		Answer:     "package x\n\nfunc F() int {\n\treturn 2 //hyperplane:vary return [[c]]\n}\n",
		Vary:       func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(2 + n)} },
	}
}

func TestTextParse(t *testing.T) {
	for _, n := range []uint64{0, 5} {
		e, err := varied().Parse(n)
		requireNoError(t, err)
		c := fmt.Sprint(2 + n)
		for _, part := range []struct{ name, got, want string }{
			{"title", e.Title, "A title with " + c + " and"}, {"task", e.Task, "Do $" + c + "x$."},
			{"hint", e.Hints[0], "First " + c + "."},
			{"derivation", e.Derivation, "Because of " + c + "."}, {"explore", e.Explore, "f(" + c + ")"},
			{"next", e.Next, "Onwards to " + c + "."},
			{"answer", e.Answer, "func F() int {\n\treturn " + c + "\n}\n"},
		} {
			if !strings.Contains(part.got, part.want) {
				t.Errorf("seed %d: the %s is %q, want it to contain %q", n, part.name, part.got, part.want)
			}
		}
		if e.Seed != n {
			t.Errorf("got the seed %d, want %d", e.Seed, n)
		}
	}
}

func TestTextFaults(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*Text)
		want string
	}{
		{"unknown in the text",
			func(x *Text) { x.Markdown = strings.Replace(x.Markdown, "Because of [[c]]", "Because of [[d]]", 1) },
			"x/exercise.md:35: unknown constant [[d]]; want c"},
		{"no constants", func(x *Text) { x.Vary, x.Answer = nil, "package x\n" },
			"x/exercise.md:1: unknown constant [[c]]; this exercise has no constants"},
		{"unknown in the answer", func(x *Text) { x.Answer = strings.Replace(x.Answer, "[[c]]", "[[d]]", 1) },
			"x/answer_test.go:4: unknown constant [[d]]"},
		{"unused", func(x *Text) {
			x.Vary = func(uint64) map[string]string { return map[string]string{"c": "2", "e": "3"} }
		}, "x/exercise.md:1: the constant e occurs neither here as [[e]] nor in answer_test.go"},
		{"answer of another variant",
			func(x *Text) { x.Answer = strings.Replace(x.Answer, "return 2 ", "return 3 ", 1) },
			`x/answer_test.go:4: the line is "return 3", but the template after "//hyperplane:vary" gives "return 2" for seed 0`},
		{"template without a placeholder", func(x *Text) { x.Answer = strings.Replace(x.Answer, "[[c]]", "2", 1) },
			"x/answer_test.go:4: no constant after"},
		{"placeholder outside a template",
			func(x *Text) { x.Answer = strings.Replace(x.Answer, "func F", "// F is [[c]].\nfunc F", 1) },
			"x/answer_test.go:3: [[c]] must follow"},
		{"line break",
			func(x *Text) { x.Vary = func(uint64) map[string]string { return map[string]string{"c": "2\n"} } },
			"x/exercise.md:1: the constant c of variant 0 contains a line break"},
		{"name", func(x *Text) {
			x.Vary = func(uint64) map[string]string { return map[string]string{"c": "2", "a b": "2"} }
		}, `x/exercise.md:1: invalid constant name "a b"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := varied()
			tc.edit(&x)
			if _, err := x.Parse(0); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got the error %v, want an error that contains %q", err, tc.want)
			}
		})
	}
}

// TestNoPlaceholder checks that texts such as a nested index, a link, or an open bracket stay
// unchanged. These texts only resemble a placeholder.
func TestNoPlaceholder(t *testing.T) {
	for _, text := range []string{"a[b[1]]", "[[1]]", "[[a b]]", "[a](b)", "[[", "m[[2]int{1, 2}]"} {
		f, err := newFiller(nil, 0)
		requireNoError(t, err)
		if got, err := lines("x.md", text, f.line); err != nil || got != text {
			t.Errorf("the text %q becomes %q (error %v), want it unchanged", text, got, err)
		}
	}
}

// TestChosen checks that Hint, Solution and Judge use the seed that the program has set.
func TestChosen(t *testing.T) {
	x := varied()
	e := MustParseVaried("x", folder(x.Markdown, x.Answer), x.Vary)
	defer seed.Set(seed.Get())
	for _, n := range []uint64{0, 4, 0} {
		seed.Set(n)
		c := fmt.Sprint(2 + n)
		if got := e.Hint(1); !strings.Contains(got, "First "+c+".") {
			t.Errorf("seed %d: the hint is %q, want it to contain the constant for this seed", n, got)
		}
		if got := e.Solution(); !strings.Contains(got, "Because of "+c+".") ||
			!strings.Contains(got, "return "+c+"\n") {
			t.Errorf("seed %d: the solution is %q, want it to contain the constant for this seed", n, got)
		}
		for _, r := range []*verify.Report{e.Judge(), e.JudgeSteps()} {
			if r.Seed != n || !strings.HasPrefix(r.Title, "A title with "+c) {
				t.Errorf("want a report with the seed %d and a title with the constant for this seed, got the seed %d and the title %q", n, r.Seed, r.Title)
			}
		}
	}
}

// TestWithOtherSeed checks that WithOtherSeed calls its function with a different seed that has the same constants,
// if one exists, and then restores the seed.
func TestWithOtherSeed(t *testing.T) {
	defer seed.Set(seed.Set(4))
	for _, tt := range []struct {
		name string
		vary Constants
		want uint64 // the seed that WithOtherSeed sets during the call; 0 if no other seed has these constants
	}{
		{"no constants", nil, 5},
		{"of ten values", func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(n % 10)} }, 14},
		{"all different", func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(n)} }, 0},
	} {
		got := uint64(0)
		if ran := (&Exercise{Vary: tt.vary}).WithOtherSeed(func() { got = seed.Get() }); got != tt.want || ran != (tt.want > 0) || seed.Get() != 4 {
			t.Errorf("%s: got a call: %t, with seed %d during it and seed %d after it; want seed %d (0 means no call), then seed 4", tt.name, ran, got, seed.Get(), tt.want)
		}
	}
	if (&Exercise{}).WithOtherSeed(nil) {
		t.Error("WithOtherSeed(nil) returned true, want false")
	}
}

func TestPanics(t *testing.T) {
	end := stop
	defer func() { stop = end }()
	stop = func(err error) { panic(err) }
	wantPanic(t, "x/exercise.md:1: the first line must be the title", func() { MustParse("x", folder("", "")) })
	defer seed.Set(seed.Set(3))
	if Variant(3) != 3 {
		t.Error("Variant(3) did not return 3, want 3 and no panic, because the program already uses seed 3")
	}
	wantPanic(t, "variant 5 cannot be chosen: this program already uses variant 3", func() { Variant(5) })
	x := varied()
	x.Vary = func(n uint64) map[string]string {
		if n > 0 {
			return nil
		}
		return map[string]string{"c": "2"}
	}
	// For seed 3, Vary returns no constants. Hint must panic, because a hint with the constants for
	// seed 0 would mislead the learner.
	wantPanic(t, "x/exercise.md:1: unknown constant [[c]]",
		func() { MustParseVaried("x", folder(x.Markdown, x.Answer), x.Vary).Hint(1) })
}
