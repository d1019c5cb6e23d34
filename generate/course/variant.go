package course

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/norm"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// variantDir is the folder of the module that contains one folder for each personal variant. It is
// below the folder "work", which git ignores.
const variantDir = "work/variants"

// maxSeed is the largest valid seed. Programs that read numbers in JSON as float64 still read
// integers up to maxSeed without rounding.
const maxSeed = 1<<53 - 1

const variantHelp = `With --student NAME or --seed N, the notebooks are a personal variant. In most exercises,
the data or some constants depend on the variant, and the statement, the hints, the check
and the solution use the values of the variant. The same name or number always gives the same
notebooks. ` + "`list exercises`" + ` shows what differs between the variants of each exercise.
Upper and lower case in a name matter, but extra spaces and the way accents are typed do
not. Each variant has its own folder below work/variants, unless --out names a folder. The
command never overwrites an edited notebook, but writes the new version beside it.`

// variantFlags contains the values of the flags --student and --seed, which choose a variant.
type variantFlags struct{ student, seed string }

// add adds the flags --student and --seed to a command. The help of each flag begins with the
// argument `verb`, such as "make", which says what the command does with the variant.
func (v *variantFlags) add(cmd *cobra.Command, verb string) {
	cmd.Flags().StringVar(&v.student, "student", "", verb+" the personal variant of the learner with this name")
	cmd.Flags().StringVar(&v.seed, "seed", "", verb+" the variant with this number, from 1 (0: the common variant)")
	cmd.MarkFlagsMutuallyExclusive("student", "seed")
}

// variant returns the variant that --student or --seed chooses. If the user gave neither flag, it
// returns the common variant, which has the seed 0.
func (v *variantFlags) variant(cmd *cobra.Command) (exercise.Variant, error) {
	switch {
	case cmd.Flags().Changed("student"):
		name, err := studentName(v.student)
		return exercise.Variant{Seed: studentSeed(name), For: name}, err
	case cmd.Flags().Changed("seed"):
		n, err := strconv.ParseUint(v.seed, 10, 64)
		if err != nil || n > maxSeed {
			return exercise.Variant{}, fmt.Errorf("invalid --seed %[2]q: want a whole number from 0 to %[1]d", maxSeed, v.seed)
		}
		return exercise.Variant{Seed: n}, nil
	}
	return exercise.Variant{}, nil
}

// readVariant reads the exercises with the given ids, or all exercises if there are no ids, in the
// variant that the flags choose. It also returns the folder of the module and the chosen variant.
func (v *variantFlags) readVariant(cmd *cobra.Command, ids ...string) (root string, chosen exercise.Variant,
	list []*exercise.Exercise, err error) {
	if chosen, err = v.variant(cmd); err != nil {
		return
	}
	root, module, err := openModule()
	if err == nil {
		list, err = current.Variants(module, chosen, ids...)
	}
	return root, chosen, list, err
}

// studentName returns the name in a standard form: with single spaces between the words, and with
// accented letters as single characters where Unicode has them (NFC). Therefore a name gives the
// same variant regardless of the way in which its spaces and accents are typed.
func studentName(text string) (string, error) {
	for _, r := range text {
		if r == unicode.ReplacementChar || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return "", fmt.Errorf("invalid --student %q: it contains a control character or invalid UTF-8", text)
		}
	}
	name := strings.Join(strings.Fields(norm.NFC.String(text)), " ")
	if name == "" {
		return "", errors.New("--student is empty: give the learner's name, or a number with --seed")
	}
	return name, nil
}

// studentSeed returns the seed of the personal variant for a learner's name. The seed contains 40
// bits of the SHA-256 hash of the name. The probability that two of a thousand learners have the
// same seed is below one in a million.
func studentSeed(name string) uint64 {
	sum := sha256.Sum256([]byte("hyperplane variant\n" + name))
	// Add 2⁴⁰, so that every seed is above 0 and has 13 digits.
	return binary.BigEndian.Uint64(sum[:])>>24 | 1<<40
}

// folder returns the folder for the notebooks of the variant v if the command line has no --out.
func folder(root string, v exercise.Variant) string {
	name := fmt.Sprintf("seed-%d", v.Seed)
	if slug := slugOf(v.For); slug != "" { // the seed distinguishes two names that have the same slug
		name = fmt.Sprintf("%s-%d", slug, v.Seed)
	}
	return filepath.Join(root, filepath.FromSlash(variantDir), name)
}

// slugOf returns the words of `name` in lower case, joined by "-". A word is a sequence of letters and
// digits; slugOf omits all other characters. The result contains only the first words of a long name.
// The result is a valid name of a file, or "" if `name` contains no word or its first word has more
// than 60 bytes.
func slugOf(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToLower(name),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if b.Len()+len(word) > 60 {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('-')
		}
		b.WriteString(word)
	}
	return b.String()
}

// writeVariant writes the notebooks of the variant v into `dir`. It never overwrites a notebook that
// the learner has edited. If `dir` is the folder of the common notebooks or is inside this folder, or if
// a notebook in `dir` belongs to a different variant (see sameVariant), writeVariant writes nothing and
// returns an error.
func writeVariant(cmd *cobra.Command, root, dir string, v exercise.Variant, tree files.Tree) error {
	if common := filepath.Join(root, notebookDir); isWithin(common, dir) {
		return fmt.Errorf("%s contains the common notebooks; choose another folder with --out, or omit --out to write to %s",
			common, folder(root, v))
	}
	if err := sameVariant(dir, v, tree); err != nil {
		return err
	}
	if err := writeLearnerCopies(cmd, dir, tree); err != nil {
		return err
	}
	owner := ""
	if v.For != "" {
		owner = " for " + v.For
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "variant %d%s: %d notebooks in %s\n", v.Seed, owner, len(tree), dir)
	return err
}

// sameVariant returns an error if writing `tree` to `dir` would replace a notebook of a variant other
// than v.
func sameVariant(dir string, v exercise.Variant, tree files.Tree) error {
	called := func(n uint64) string {
		if n == 0 {
			return "the common variant"
		}
		return fmt.Sprintf("variant %d", n)
	}
	for _, path := range tree.Paths() {
		file := filepath.Join(dir, filepath.FromSlash(path))
		found, ok := seedOf(file)
		if ok && found != v.Seed {
			return fmt.Errorf("%s belongs to %s, not to %s; choose another folder with --out", file, called(found),
				called(v.Seed))
		}
	}
	return nil
}

// seedOf returns the seed of the variant in a notebook. The result `ok` is false if the file cannot
// be read or is not a notebook of hyperplane. seedOf returns no error, because the code that later
// writes the file reports why the file cannot be read.
func seedOf(file string) (seed uint64, ok bool) {
	nb, err := nbformat.ReadFile(file)
	if err != nil {
		return 0, false
	}
	own, ok := nb.Metadata["hyperplane"].(map[string]any)
	number, _ := own["seed"].(json.Number)
	seed, _ = strconv.ParseUint(number.String(), 10, 64)
	return seed, ok
}

// isWithin reports whether `path` leads to the given folder or to something inside it. isWithin
// follows symbolic links. The file at `path` need not exist.
func isWithin(folder, path string) bool {
	rel, err := filepath.Rel(real(folder), real(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func real(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for rest := ""; ; {
		if found, err := filepath.EvalSymlinks(abs); err == nil {
			return filepath.Join(found, rest)
		}
		if abs == filepath.Dir(abs) {
			return filepath.Join(abs, rest)
		}
		abs, rest = filepath.Dir(abs), filepath.Join(filepath.Base(abs), rest)
	}
}
