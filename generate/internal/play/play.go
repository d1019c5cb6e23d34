// Package play makes what an exercise's page needs to compile and judge an answer
// itself: Go's own compiler and linker built for WebAssembly, the compiled packages
// that answers and checks import, and the scripts that run them.
//
// The judge is not forked: the packages come from this module. Only GoNB's gonbui, by which a
// cell talks to its kernel, has a replacement (folder stub).
package play

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
)

// Folder is where on the site the compiler and the scripts lie.
const Folder = "assets/play"

// ManifestPath is where on the site the [Manifest] lies.
const ManifestPath = Folder + "/play.json"

// Options say what is built.
type Options struct {
	Root      string               // folder of the module
	Cache     string               // what was compressed before; "" for the user's cache folder
	Exercises []*exercise.Exercise // that are worked on in the page
	Warn      func(string)         // called with what is not as it could be; may be nil
	Done      func(share float64)  // called with the share of the work that is done; may be nil
}

// A Manifest tells the page which files there are. Their names have a hash of their
// content, so that a browser may keep them for ever.
type Manifest struct {
	Go      string            `json:"go"`      // the version of the compiler, "go1.26.8"
	Trimmed bool              `json:"trimmed"` // whether the tools know no other machine than wasm
	Compile Part              `json:"compile"`
	Link    Part              `json:"link"`
	Base    Part              `json:"base"`    // packages that answers import, and most checks
	Packs   map[string]Part   `json:"packs"`   // further packages of an exercise, by id
	Imports map[string]string `json:"imports"` // that are filled in: name → path

	Cells       Part              `json:"cells"`       // further packages that cells import
	CellImports map[string]string `json:"cellImports"` // their names
	Variants    Part              `json:"variants"`    // the program that tells the constants of a variant

	Works []licences.Work `json:"-"` // of others, compiled: Go and its modules
}

// A Part is a compressed file of the site.
type Part struct {
	File string `json:"file"`
	Size int    `json:"size"` // bytes
}

// First is the size of what is loaded before the first check of an exercise.
func (m *Manifest) First(id string) int {
	return m.Compile.Size + m.Link.Size + m.Base.Size + m.Packs[id].Size
}

// Scripts returns what Build does without the compiler: pages on which answers can be
// written, and judged once Build has put the rest there.
func Scripts(ctx context.Context, o Options) (files.Tree, []licences.Work, error) {
	b, err := newBuilder(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer b.close()
	if b.list, err = b.packages(ctx); err != nil {
		return nil, nil, err
	}
	works, err := b.works()
	if err != nil {
		return nil, nil, err
	}
	return b.files, works, b.scripts()
}

// Build builds all of it and returns the files by their paths on the site. What was
// built and compressed before is taken from the caches of Go and of o.
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
			return nil, nil, fmt.Errorf("no folder to keep the compiler in: %w; name one", err)
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
	m := &Manifest{Go: b.version, Trimmed: true, Packs: map[string]Part{}, Imports: map[string]string{}, CellImports: map[string]string{}}
	for _, tool := range []struct {
		trim  trim
		part  *Part
		share float64 // of the work, with what comes before
	}{{trimCompile, &m.Compile, 0.5}, {trimLink, &m.Link, 0.65}} {
		data, trimmed, err := b.tool(ctx, tool.trim)
		if err != nil {
			return nil, nil, err
		}
		m.Trimmed = m.Trimmed && trimmed
		*tool.part = b.add(tool.trim.name, ".wasm", data)
		o.Done(tool.share)
	}
	if err := b.archives(ctx, m); err != nil {
		return nil, nil, err
	}
	o.Done(0.95)
	data, err := b.variants(ctx)
	if err != nil {
		return nil, nil, err
	}
	m.Variants = b.add("variants", ".wasm", data)
	text, err := json.Marshal(m)
	if err != nil {
		return nil, nil, err
	}
	b.files[ManifestPath] = text
	if m.Works, err = b.works(); err != nil {
		return nil, nil, err
	}
	o.Done(1)
	return b.files, m, b.scripts()
}

// builder is the site's part while it is made.
type builder struct {
	Options
	*keeper
	root, version string // of Go
	dir, mod      string // a folder for what is built, and the go.mod in it
	files         files.Tree
	list          map[string]compiled // the packages, by path
	imported      map[string]bool     // those that answers and cells may import
}

// newBuilder finds Go and makes the folder for what is built.
func newBuilder(ctx context.Context, o Options) (*builder, error) {
	b := &builder{Options: o, files: files.Tree{}}
	err := b.toolchain(ctx)
	if err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp("", "hyperplane-play-"); err != nil {
		return nil, err
	}
	if b.mod, err = b.modfile(b.dir); err != nil {
		b.close()
	}
	return b, err
}

// close removes the folder. A compiler that outlives the go command for a moment may still
// put a file into it.
func (b *builder) close() {
	for range 50 {
		if os.RemoveAll(b.dir) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// works lists the work of others in what was compiled.
func (b *builder) works() ([]licences.Work, error) {
	golang, err := licences.Go(b.root, b.version, path.Join(Folder, "*.wasm.*"), path.Join(Folder, "*.pack.*"), path.Join(Folder, "wasm_exec.js"))
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

// add puts a compressed file on the site, under a name with a hash of its content.
func (b *builder) add(name, kind string, data []byte) Part {
	sum := sha256.Sum256(data)
	p := Part{name + "-" + hex.EncodeToString(sum[:6]) + kind + b.ending, len(data)}
	b.files[path.Join(Folder, p.File)] = data
	return p
}

// byID sorts exercises, so that what is made of them does not depend on their order.
func byID(list []*exercise.Exercise) []*exercise.Exercise {
	return slices.SortedFunc(slices.Values(list), func(a, b *exercise.Exercise) int { return cmp.Compare(a.ID, b.ID) })
}
