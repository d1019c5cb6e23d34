package play

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed web
var web embed.FS

// stub is the module that stands in for GoNB. A folder with a go.mod would be no part
// of this module, and could not be embedded: hence the endings.
//
//go:embed stub
var stub embed.FS

// stubs are the files of folder stub by the names that they have as a module; here
// they end in .txt, since they compile for no other machine.
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
		panic(err) // the files are in this program
	}
	return out
}()

// scripts puts the scripts on the site, with the one of Go that runs its programs and
// the licences of all that the page loads. The service worker lies at the root of the
// site, where it sees all pages.
func (b *builder) scripts(ctx context.Context) error {
	entries, err := web.ReadDir("web")
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := web.ReadFile("web/" + e.Name())
		if err != nil {
			return err
		}
		name := path.Join(Folder, e.Name())
		if e.Name() == "sw.js" {
			name = e.Name()
		}
		b.files[name] = data
	}
	run, err := os.ReadFile(filepath.Join(b.root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	b.files[path.Join(Folder, "wasm_exec.js")] = run
	licences, err := b.licences(ctx)
	b.files[path.Join(Folder, "LICENSES.txt")] = licences
	return err
}

// licences are those of Go and of the modules whose packages are on the site, and of
// the scripts from npm, which have theirs beside them.
func (b *builder) licences(ctx context.Context) ([]byte, error) {
	var out bytes.Buffer
	add := func(title string, text []byte) {
		fmt.Fprintf(&out, "%s\n%s\n\n%s\n\n", title, strings.Repeat("=", len(title)), bytes.TrimSpace(text))
	}
	for _, e := range []struct{ title, file string }{
		{"Go (compiler, linker, standard library, wasm_exec.js)", filepath.Join(b.root, "LICENSE")},
		{"Go, grant of patents", filepath.Join(b.root, "PATENTS")},
	} {
		text, err := os.ReadFile(e.file)
		if errors.Is(err, fs.ErrNotExist) { // a distribution may keep it elsewhere
			text, err = []byte("BSD-3-Clause, https://go.dev/LICENSE"), nil
		}
		if err != nil {
			return nil, err
		}
		add(e.title, text)
	}
	for _, module := range []string{"gonum.org/v1/gonum", "golang.org/x/tools"} {
		dir, err := b.run(ctx, "list", "-m", "-f", "{{.Dir}}", module)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "LICENSE"))
		if err != nil {
			return nil, err
		}
		add(module, text)
	}
	return out.Bytes(), nil
}
