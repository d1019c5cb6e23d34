package play

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// VariantKey names the constants of a variant: the program of variants prints it, and
// the page finds the texts of the variant by it.
func VariantKey(constants map[string]string) string { return fmt.Sprintf("%q", constants) }

// variants builds the program that prints the [VariantKey] of an exercise, for a seed:
// its arguments are the exercise's id and the seed.
func (b *builder) variants(ctx context.Context) ([]byte, error) {
	var imports, cases strings.Builder
	for i, e := range byID(b.Exercises) {
		if e.Vary != nil {
			fmt.Fprintf(&imports, "import p%d %q\n", i, e.Import().Path)
			fmt.Fprintf(&cases, "\tcase %q:\n\t\tvary = p%d.Exercise().Vary\n", e.ID, i)
		}
	}
	source := "package main\n\nimport \"fmt\"\nimport \"os\"\nimport \"strconv\"\n" + imports.String() + `
func main() {
	var vary func(uint64) map[string]string
	switch os.Args[1] {
` + cases.String() + `	}
	seed, err := strconv.ParseUint(os.Args[2], 10, 64)
	if err != nil || vary == nil {
		fmt.Fprintln(os.Stderr, "no variant of ", os.Args[1:])
		os.Exit(2)
	}
	fmt.Printf("%q", vary(seed))
}
`
	at := func(name string) string { return filepath.Join(b.dir, name) }
	var config strings.Builder
	for _, p := range slices.Sorted(maps.Keys(b.list)) {
		if file := b.list[p].Export; file != "" {
			fmt.Fprintf(&config, "packagefile %s=%s\n", p, file)
		}
	}
	if err := errors.Join(os.WriteFile(at("variants.go"), []byte(source), 0o600), os.WriteFile(at("importcfg"), []byte(config.String()), 0o600)); err != nil {
		return nil, err
	}
	// go build would write the folder of the stub into the program, another one each time.
	if _, err := b.run(ctx, "tool", "compile", "-p", "main", "-trimpath", b.dir, "-importcfg", at("importcfg"), "-o", at("variants.a"), at("variants.go")); err != nil {
		return nil, err
	}
	if _, err := b.run(ctx, "tool", "link", "-s", "-w", "-importcfg", at("importcfg"), "-o", at("variants.wasm"), at("variants.a")); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(at("variants.wasm"))
	if err != nil {
		return nil, err
	}
	return b.compressed(ctx, raw)
}
