// Package play builds the files with which the pages of exercises and lessons compile and run answers
// and cells inside the browser. These files are Go's own compiler and linker built for WebAssembly,
// the compiled packages that answers, checks and cells import, two programs (Variants and Editor in
// [Manifest]), and scripts. Package play also serves a site.
//
// To judge an answer, the page runs the packages of this module unchanged. Only the package gonbui
// of GoNB, which connects a cell to the kernel, is replaced by the module in the folder `stub`.
package play

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
)

// Folder is the folder of the compiler and the scripts on the site.
const Folder = "assets/play"

// ManifestPath is the path of the [Manifest] on the site.
const ManifestPath = Folder + "/play.json"

// Options configures Build and Scripts. Scripts ignores Cache, Warn and Done.
type Options struct {
	Root      string               // folder of the toolkit's module
	Cache     string               // folder for compressed files; "" means the folder hyperplane in the user's cache folder
	Exercises []*exercise.Exercise // exercises and tasks of lessons that the pages can judge
	Warn      func(string)         // receives each warning; can be nil
	Done      func(share float64)  // receives the share of the work done so far, from 0 to 1; can be nil
}

// A Manifest lists the compressed files that pages load. The name of each of these files contains a
// hash of the file's content, so a browser can cache the file forever.
type Manifest struct {
	Go      string            `json:"go"`      // version of the compiler, such as "go1.26.8"
	Trimmed bool              `json:"trimmed"` // true if the compiler and the linker support only wasm
	Compile Part              `json:"compile"`
	Link    Part              `json:"link"`
	Base    Part              `json:"base"`    // packages that every answer may import or several exercises need
	Packs   map[string]Part   `json:"packs"`   // additional packages of each exercise, by id
	Imports map[string]string `json:"imports"` // imports that the page adds to answers: name → path

	Cells       Part              `json:"cells"`       // additional packages for cells
	CellImports map[string]string `json:"cellImports"` // imports that the page adds to cells: name → path
	Variants    Part              `json:"variants"`    // wasm program that prints the constants of a variant
	Editor      Part              `json:"editor"`      // wasm program that works on the text of cells (see the constant editor)

	Works []licences.Work `json:"-"` // licences of Go and of the modules whose code is in the compiled files
}

// A Part is a compressed file of the site.
type Part struct {
	File string `json:"file"`
	Size int    `json:"size"` // bytes
}

// First returns the total size of the compressed files, in bytes, that a page must load before the
// first check of the exercise with this id. Files that the browser has already stored count, too.
func (m *Manifest) First(id string) int {
	return m.Compile.Size + m.Link.Size + m.Base.Size + m.Packs[id].Size
}

// Scripts returns the scripts and styles that Build returns, but no compiled files. It also returns
// the licences of Go and of the modules whose code would be in the compiled files. With the scripts, a
// learner can write answers in the pages. The pages can judge the answers only if the site also has the
// compiled files.
func Scripts(ctx context.Context, o Options) (files.Tree, []licences.Work, error) {
	b, err := newBuilder(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer b.close()
	if b.list, err = b.listPackages(ctx); err != nil {
		return nil, nil, err
	}
	works, err := b.listWorks()
	if err != nil {
		return nil, nil, err
	}
	return b.files, works, b.addScripts()
}

// Build builds all files. It returns them, keyed by their paths on the site, and their Manifest. It
// reuses earlier results from Go's cache and from o.Cache.
func Build(ctx context.Context, o Options) (files.Tree, *Manifest, error) {
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.Done == nil {
		o.Done = func(float64) {}
	}
	if o.Cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, nil, fmt.Errorf("cannot find the user's cache folder, where the compiler is kept: %w", err)
		}
		o.Cache = filepath.Join(user, "hyperplane")
	}
	if err := os.MkdirAll(o.Cache, 0o755); err != nil {
		return nil, nil, err
	}
	b, err := newBuilder(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer b.close()
	b.keeper = newKeeper(o.Cache, o.Warn)
	m := &Manifest{Go: b.version, Trimmed: true, Packs: map[string]Part{}, Imports: map[string]string{},
		CellImports: map[string]string{}}
	for _, tool := range []struct {
		trim  trim
		part  *Part
		share float64 // share of the whole work that is complete after this step
	}{{trimCompile, &m.Compile, 0.5}, {trimLink, &m.Link, 0.65}} {
		data, trimmed, err := b.tool(ctx, tool.trim)
		if err != nil {
			return nil, nil, err
		}
		m.Trimmed = m.Trimmed && trimmed
		*tool.part = b.add(tool.trim.name, ".wasm", data)
		o.Done(tool.share)
	}
	if err := b.putArchives(ctx, m); err != nil {
		return nil, nil, err
	}
	o.Done(0.95)
	for _, program := range []struct {
		name   string
		part   *Part
		source string
	}{{"variants", &m.Variants, b.variantsSource()}, {"editor", &m.Editor, editor}} {
		data, err := b.buildProgram(ctx, program.name, program.source)
		if err != nil {
			return nil, nil, err
		}
		*program.part = b.add(program.name, ".wasm", data)
	}
	for name, list := range map[string]func(*Manifest) (any, error){
		ManifestPath: func(m *Manifest) (any, error) { return m, nil }, NamesPath: b.exportedOf} {
		value, err := list(m)
		if err != nil {
			return nil, nil, err
		}
		if b.files[name], err = json.Marshal(value); err != nil {
			return nil, nil, err
		}
	}
	if m.Works, err = b.listWorks(); err != nil {
		return nil, nil, err
	}
	o.Done(1)
	return b.files, m, b.addScripts()
}

// builder collects the files of the site while Build or Scripts runs.
type builder struct {
	Options
	*keeper
	root, version string // folder of the installed Go, and its version
	dir, mod      string // temporary folder, and the path of a go.mod in this folder
	files         files.Tree
	list          map[string]compiledPackage // all packages of the site, by import path
	imported      map[string]bool            // packages that answers and cells may import
}

// newBuilder finds the installed Go and creates the temporary folder with its go.mod.
func newBuilder(ctx context.Context, o Options) (*builder, error) {
	b := &builder{Options: o, files: files.Tree{}}
	err := b.setToolchain(ctx)
	if err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp("", "hyperplane-play-"); err != nil {
		return nil, err
	}
	if b.mod, err = b.writeModfile(b.dir); err != nil {
		b.close()
	}
	return b, err
}

// close removes the temporary folder. If this fails, close tries again for five seconds, because a
// compiler process that ends shortly after the go command can still write a file to the folder.
func (b *builder) close() {
	for range 50 {
		if os.RemoveAll(b.dir) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// listWorks lists Go and the third-party modules whose code is in the compiled files.
func (b *builder) listWorks() ([]licences.Work, error) {
	golang, err := licences.Go(b.root, b.version, path.Join(Folder, "*.wasm.*"), path.Join(Folder, "*.pack.*"),
		path.Join(Folder, "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	var list []licences.Package
	for _, p := range slices.Sorted(maps.Keys(b.list)) {
		list = append(list, b.list[p].Package)
	}
	modules, err := licences.Modules(b.Root, list)
	for i := range modules {
		modules[i].Files = []string{path.Join(Folder, "*.pack.*")}
	}
	return append(modules, golang), err
}

// add puts a compressed file on the site. The file's name contains a hash of the file's content.
func (b *builder) add(name, kind string, data []byte) Part {
	sum := sha256.Sum256(data)
	p := Part{name + "-" + hex.EncodeToString(sum[:6]) + kind + b.ending, len(data)}
	b.files[path.Join(Folder, p.File)] = data
	return p
}

// byID returns the exercises sorted by id, so that the files do not depend on the order of
// Options.Exercises.
func byID(list []*exercise.Exercise) []*exercise.Exercise {
	return slices.SortedFunc(slices.Values(list), func(a, b *exercise.Exercise) int { return cmp.Compare(a.ID, b.ID) })
}

//go:embed web
var web embed.FS

// stub contains the module that replaces GoNB. Its go.mod is called go.mod.txt, because a folder
// with a go.mod does not belong to this module and could not be embedded.
//
//go:embed stub
var stub embed.FS

// stubs contains the files of the folder `stub`. The keys are the names of the files in the module.
// In the folder, the names also end with .txt, so that Go does not compile the files for systems
// other than wasm.
var stubs = func() map[string][]byte {
	out := map[string][]byte{}
	err := fs.WalkDir(stub, "stub", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		out[strings.TrimSuffix(strings.TrimPrefix(p, "stub/"), ".txt")], err = stub.ReadFile(p)
		return err
	})
	if err != nil {
		panic(err) // this cannot happen, because embedded files can always be read
	}
	return out
}()

// Web returns the scripts and styles in the web folder of the file system `own`, keyed by their paths
// on the site. The service worker is at the root of the site, because only a worker at the root can
// control all pages.
func Web(own fs.FS) (files.Tree, error) {
	entries, err := fs.ReadDir(own, "web")
	if err != nil {
		return nil, err
	}
	tree := files.Tree{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "LICENSE-") {
			continue // skip files with licences, because package licences adds their texts to the site
		}
		name := path.Join(Folder, e.Name())
		if e.Name() == "sw.js" {
			name = e.Name()
		}
		if tree[name], err = fs.ReadFile(own, path.Join("web", e.Name())); err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// addScripts puts the scripts on the site, including Go's own script that runs wasm programs.
func (b *builder) addScripts() error {
	own, err := Web(web)
	if err != nil {
		return err
	}
	maps.Copy(b.files, own)
	run, err := os.ReadFile(filepath.Join(b.root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	b.files[path.Join(Folder, "wasm_exec.js")] = run
	return nil
}

// VariantKey returns a key for the constants of a variant. In the browser, the program from
// variantsSource prints this key, and the page uses the key to find the texts of the variant.
func VariantKey(constants map[string]string) string { return fmt.Sprintf("%q", constants) }

// variantsSource returns the source of a program. The arguments of the program are the id of an
// exercise and a seed. The program prints the [VariantKey] of the exercise's constants for this
// seed.
func (b *builder) variantsSource() string {
	var imports, cases strings.Builder
	for i, e := range byID(b.Exercises) {
		if e.Vary != nil {
			fmt.Fprintf(&imports, "import p%d %q\n", i, e.Import().Path)
			fmt.Fprintf(&cases, "\tcase %q:\n\t\tvary = p%d.Exercise().Vary\n", e.ID, i)
		}
	}
	return "package main\n\nimport \"fmt\"\nimport \"os\"\nimport \"strconv\"\n" + imports.String() + `
func main() {
	var vary func(uint64) map[string]string
	switch os.Args[1] {
` + cases.String() + `	}
	seed, err := strconv.ParseUint(os.Args[2], 10, 64)
	if err != nil || vary == nil {
		fmt.Fprintln(os.Stderr, "invalid arguments, want the id of an exercise whose constants vary, and a seed below 2^64:", os.Args[1:])
		os.Exit(2)
	}
	fmt.Printf("%q", vary(seed))
}
`
}

// editor is the source of the program that works on the text of cells. It reads a list of cells
// from the file cells.json. With the argument "format", it prints the last cell in gofmt's format,
// or an error on standard error with exit code 1. With "needed", it prints the declarations that
// the last cell needs from the earlier cells. If cells.json is invalid, the exit code is 2.
const editor = `package main

import "encoding/json"
import "fmt"
import "os"
import "` + cellPackage + `"

func main() {
	var cells []string
	text, err := os.ReadFile("cells.json")
	if err == nil {
		err = json.Unmarshal(text, &cells)
	}
	if err != nil || len(cells) == 0 {
		fmt.Fprintln(os.Stderr, "invalid cells.json, want a list of at least one cell:", err)
		os.Exit(2)
	}
	earlier, last := cells[:len(cells)-1], cells[len(cells)-1]
	if os.Args[1] == "needed" {
		fmt.Print(cell.Needed(earlier, last))
		return
	}
	formatted, err := cell.Format(last)
	if err != nil {
		fmt.Fprint(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(formatted)
}
`

// buildProgram compiles a program for wasm, links it with the compiled packages in b.list, and
// compresses it.
func (b *builder) buildProgram(ctx context.Context, name, source string) ([]byte, error) {
	at := func(ending string) string { return filepath.Join(b.dir, name+ending) }
	var config strings.Builder
	for _, p := range slices.Sorted(maps.Keys(b.list)) {
		if file := b.list[p].Export; file != "" {
			fmt.Fprintf(&config, "packagefile %s=%s\n", p, file)
		}
	}
	if err := errors.Join(os.WriteFile(at(".go"), []byte(source), 0o600),
		os.WriteFile(at(".cfg"), []byte(config.String()), 0o600)); err != nil {
		return nil, err
	}
	// Compile and link in separate steps. The command go build would write the path of the stub's
	// temporary folder into the program, and this path is different each time.
	if _, err := b.run(ctx, "tool", "compile", "-p", "main", "-trimpath", b.dir, "-importcfg", at(".cfg"), "-o",
		at(".a"), at(".go")); err != nil {
		return nil, err
	}
	if _, err := b.run(ctx, "tool", "link", "-s", "-w", "-importcfg", at(".cfg"), "-o", at(".wasm"),
		at(".a")); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(at(".wasm"))
	if err != nil {
		return nil, err
	}
	return b.compressRaw(ctx, raw)
}
