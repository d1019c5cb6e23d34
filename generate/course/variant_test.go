package course

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// makeVariant makes the notebooks of two exercises in the variant that the flags choose. In one
// exercise the constants differ between variants, and in the other exercise the data differ.
// makeVariant returns a map from the paths of the notebooks to their texts.
func makeVariant(t *testing.T, flags ...string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "variant")
	run(t, append([]string{"exercises", "alpaydin-10.9", "prml-4.8", "--out", dir}, flags...)...)
	made := must.Tree(t, dir)
	maps.DeleteFunc(made, func(name, _ string) bool { return filepath.Ext(name) != ".ipynb" })
	return made
}

func TestVariantIsTheSameEveryTime(t *testing.T) {
	ada := makeVariant(t, "--student", "Ada Lovelace")
	if len(ada) != 4 {
		t.Fatalf("got %d notebooks, want 4", len(ada))
	}
	if !maps.Equal(ada, makeVariant(t, "--student", "  Ada \t Lovelace ")) {
		t.Error("extra spaces in a name change the variant")
	}
	emmy := makeVariant(t, "--student", "Emmy Noether")
	lower := makeVariant(t, "--student", "ada lovelace")
	for name, data := range ada {
		if emmy[name] == data || lower[name] == data {
			t.Errorf("%s is the same notebook in the variants of two different names", name)
		}
	}
	const solved = "solutions/alpaydin10/09-interval-by-features.ipynb"
	weights := func(made map[string]string) string { return cellOf(t, made[solved], "alpaydin-10-9-stub") }
	if weights(ada) == weights(emmy) {
		t.Errorf("the variants of Ada Lovelace and Emmy Noether must have different weights, but both contain\n%s", weights(ada))
	}
	// The flag --seed with the seed of a learner's name must give the same constants as the flag
	// --student with the name. The seed of a name must never change, because learners have
	// notebooks from earlier versions.
	seed := studentSeed("Ada Lovelace")
	bySeed := makeVariant(t, "--seed", "1834699243556")
	if seed != 1834699243556 || weights(bySeed) != weights(ada) {
		t.Errorf("the seed of Ada Lovelace is %d, want 1834699243556, because learners already have these notebooks; with --seed 1834699243556 the weights are\n%s\nwant the same weights as with --student:\n%s", seed, weights(bySeed), weights(ada))
	}
}

// TestSeedZero checks that --seed 0 makes the same notebooks as the command without --seed, byte
// for byte, and that --seed 1 makes different notebooks.
func TestSeedZero(t *testing.T) {
	zero, common := makeVariant(t, "--seed", "0"), makeVariant(t)
	if !maps.Equal(zero, common) {
		t.Error("--seed 0 makes different notebooks than the command without --seed")
	}
	if one := makeVariant(t, "--seed", "1"); maps.Equal(one, common) {
		t.Error("--seed 1 makes the same notebooks as the command without --seed")
	}
}

func TestVariantUsage(t *testing.T) {
	root := moduleRoot(t)
	link := filepath.Join(t.TempDir(), "link")
	must.Do(t, os.Symlink(filepath.Join(root, "notebooks"), link))
	wantRefused(t, []string{"exercises", "prml-4.8"}, []mistake{
		{"not a number", []string{"--seed", "seven"},
			`invalid --seed "seven": want a whole number from 0 to 9007199254740991`},
		{"negative", []string{"--seed", "-1"}, `invalid --seed "-1"`},
		{"a fraction", []string{"--seed", "1.5"}, `invalid --seed "1.5"`},
		{"too large for JSON", []string{"--seed", "9007199254740992"}, `invalid --seed "9007199254740992"`},
		{"larger still", []string{"--seed", "99999999999999999999"}, "invalid --seed"},
		{"empty seed", []string{"--seed", ""}, `invalid --seed ""`},
		{"seed and student", []string{"--seed", "1", "--student", "Ada"}, "[seed student]"},
		{"empty name", []string{"--student", ""}, "--student is empty"},
		{"blank name", []string{"--student", " \t\n "}, "--student is empty"},
		{"control character", []string{"--student", "Ada\x00"}, "a control character or invalid UTF-8"},
		{"not UTF-8", []string{"--student", "Ad\xff"}, "a control character or invalid UTF-8"},
		{"over the common notebooks", []string{"--seed", "1", "--out", filepath.Join(root, "notebooks", "exercises")},
			"contains the common notebooks"},
		{"below the common notebooks through a link", []string{"--seed", "1", "--out", filepath.Join(link, "mine")},
			"contains the common notebooks"},
	})
}

// TestVariantKeepsEdits checks that `generate exercises` never overwrites an edited notebook, or a
// notebook of a variant other than the requested one.
func TestVariantKeepsEdits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "v")
	args := []string{"exercises", "prml-4.8", "--out", dir, "--seed"}
	run(t, append(args, "7")...)
	mine := filepath.Join(dir, "prml4", "08-gaussian-posterior.ipynb")
	edit(t, mine, func(nb *nbformat.Notebook) { nb.Cell("prml-4-8-stub").Source = "// mine" })
	before := must.Tree(t, dir)
	runWant(t, 0, append(args, "7"), "08-gaussian-posterior.ipynb: edited by you, left unchanged")
	if !maps.Equal(before, must.Tree(t, dir)) {
		t.Error("making the variant again changed files")
	}
	for _, tt := range []struct{ seed, want string }{{"8", "belongs to variant 7, not to variant 8"},
		{"0", "belongs to variant 7, not to the common variant"}} {
		runWant(t, exitBad, append(args, tt.seed), tt.want)
	}
	common := filepath.Join(t.TempDir(), "common")
	run(t, "exercises", "prml-4.8", "--out", common)
	runWant(t, exitBad, []string{"exercises", "prml-4.8", "--out", common, "--seed", "8"},
		"belongs to the common variant, not to variant 8")
	if !maps.Equal(before, must.Tree(t, dir)) {
		t.Error("a command for a different variant changed files")
	}
}

func TestVariantFolder(t *testing.T) {
	for _, tt := range []struct {
		v    exercise.Variant
		want string
	}{
		{exercise.Variant{Seed: 7}, "seed-7"},
		{exercise.Variant{Seed: 7, For: "Ada Lovelace"}, "ada-lovelace-7"},
		{exercise.Variant{Seed: 7, For: "../../etc"}, "etc-7"},
		{exercise.Variant{Seed: 7, For: "Émilie du Châtelet"}, "émilie-du-châtelet-7"},
		{exercise.Variant{Seed: 7, For: "…"}, "seed-7"},
		{exercise.Variant{Seed: 7, For: strings.Repeat("very ", 50) + "long"}, strings.Repeat("very-", 12) + "7"},
	} {
		if got, want := folder("/m", tt.v), filepath.Join("/m", "work", "variants", tt.want); got != want {
			t.Errorf("the folder of the variant %+v is %s, want %s", tt.v, got, want)
		}
	}
}

// TestStudentSeed checks that different names have different seeds, and that every seed is in the
// range from 1 to maxSeed.
func TestStudentSeed(t *testing.T) {
	seen := map[uint64]string{}
	for i := range 2000 {
		name := "student " + strings.Repeat("x", i%40) + string(rune('a'+i/40))
		n := studentSeed(name)
		if n == 0 || n > maxSeed || seen[n] != "" {
			t.Errorf("%q has the seed %d, which is not from 1 to maxSeed, or is also the seed of %q", name, n, seen[n])
		}
		seen[n] = name
	}
}

// TestOneNameInSeveralSpellings checks that different Unicode spellings of a name give the same
// seed. For example, some keyboards type an accented letter as one character, and other keyboards
// type the letter and the accent as two.
func TestOneNameInSeveralSpellings(t *testing.T) {
	for _, tt := range []struct {
		name      string
		spellings []string
	}{
		{"composed and decomposed", []string{"Zo\u00eb", "Zoe\u0308"}},
		{"two accents", []string{"Nguy\u1ec5n", "Nguy\u00ea\u0303n", "Nguye\u0302\u0303n"}},
		{"accents in any order", []string{"a\u0323\u0302", "a\u0302\u0323", "\u1ead"}},
		{"hangul", []string{"\ud55c", "\u1112\u1161\u11ab"}},
		{"an equivalent character", []string{"\u00c5sa", "\u212bsa"}},
		{"white space", []string{"Ada Lovelace", " Ada\t\u00a0Lovelace\n", "Ada\u2003Lovelace"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := must.Get(studentName(tt.spellings[0]))(t)
			for _, spelling := range tt.spellings {
				got, err := studentName(spelling)
				if err != nil || studentSeed(got) != studentSeed(want) || got != want {
					t.Errorf("%+q becomes %+q with the seed %d (error %v), want %+q with the seed %d", spelling, got, studentSeed(got), err,
						want, studentSeed(want))
				}
			}
		})
	}
	if studentSeed("Zoe") == studentSeed("Zo\u00eb") || studentSeed("zo\u00eb") == studentSeed("Zo\u00eb") {
		t.Error("names with different letters have the same seed")
	}
}
