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

// variantDir is the folder of the module with the personal variants, each in its own
// folder; git ignores everything below work.
const variantDir = "work/variants"

// maxSeed is the largest seed. Every JSON reader preserves integers up to this value.
const maxSeed = 1<<53 - 1

const variantHelp = `With --student NAME or --seed N, the notebooks are a personal variant. The data and
constants of an exercise, if any, are drawn for this variant, and the statement,
hints, check and solution use them. The same name or number always gives the same
notebooks. ` + "`list exercises`" + ` shows what varies in each exercise.
Two names are equal if they have the same letters, no matter how accents were typed.
Extra spaces are ignored, but upper and lower case differ. Each variant has its own
folder below work/variants, unless --out names a folder. An edited notebook in that
folder is never overwritten; the new version is written beside it.`

// variantFlags are the flags that choose a variant, as given on the command line.
type variantFlags struct{ student, seed string }

// add adds the flags to a command. In the help, verb describes what the command does with the
// variant.
func (v *variantFlags) add(cmd *cobra.Command, verb string) {
	cmd.Flags().StringVar(&v.student, "student", "", verb+" the personal variant of the learner with this name")
	cmd.Flags().StringVar(&v.seed, "seed", "", verb+" the variant with this number, from 1 (0: the common variant)")
	cmd.MarkFlagsMutuallyExclusive("student", "seed")
}

// variant returns the variant that the flags choose. Without flags, it returns the common variant.
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

// readVariant reads exercises in the variant that the flags choose: the exercises with the given
// ids, or all exercises without ids. root is the folder of the module.
func (v *variantFlags) readVariant(cmd *cobra.Command, ids ...string) (root string, chosen exercise.Variant,
	list []*exercise.Exercise, err error) {
	if chosen, err = v.variant(cmd); err != nil {
		return
	}
	root, module, err := module()
	if err == nil {
		list, err = current.Variants(module, chosen, ids...)
	}
	return root, chosen, list, err
}

// studentName returns the name with single spaces between its words, and every letter in its
// composed form (NFC). As a result, names that look the same belong to the same learner.
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

// studentSeed returns the seed of a name: 40 bits of its SHA-256. Among a thousand learners, two
// share a seed with a probability below one in a million.
func studentSeed(name string) uint64 {
	sum := sha256.Sum256([]byte("hyperplane variant\n" + name))
	// The bit with the value 2⁴⁰ makes every seed positive and 13 digits long.
	return binary.BigEndian.Uint64(sum[:])>>24 | 1<<40
}

// folder returns the default folder for a variant's notebooks, without --out.
func folder(root string, v exercise.Variant) string {
	name := fmt.Sprintf("seed-%d", v.Seed)
	if slug := slugOf(v.For); slug != "" { // the seed distinguishes learners whose names have the same slug
		name = fmt.Sprintf("%s-%d", slug, v.Seed)
	}
	return filepath.Join(root, filepath.FromSlash(variantDir), name)
}

// slugOf returns the name in lower-case letters and digits, valid on every file system.
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

// layVariant writes the notebooks of a variant into dir. Like layWork, it never overwrites an
// edited notebook.
func layVariant(cmd *cobra.Command, root, dir string, v exercise.Variant, tree files.Tree) error {
	if common := filepath.Join(root, notebookDir); isWithin(common, dir) {
		return fmt.Errorf("%s contains the common notebooks; choose another folder with --out, or omit it for %s", common,
			folder(root, v))
	}
	if err := sameVariant(dir, v, tree); err != nil {
		return err
	}
	if err := layWork(cmd, dir, tree); err != nil {
		return err
	}
	owner := ""
	if v.For != "" {
		owner = " for " + v.For
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "variant %d%s: %d notebooks in %s\n", v.Seed, owner, len(tree), dir)
	return err
}

// sameVariant returns an error if dir contains a notebook of a different variant that a notebook of
// the tree would replace.
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

// seedOf returns the seed of the variant that a notebook belongs to. ok is false if the file is not
// a notebook of this project or cannot be read. The caller ignores a read error, because writing
// the file later reports it.
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

// isWithin reports whether path is folder or is inside folder. It follows links in the part of path
// that exists.
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
