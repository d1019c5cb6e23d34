package play

import (
	"embed"
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

// scripts puts the scripts on the site, with the one of Go that runs its programs. The
// service worker lies at the root of the site, where it sees all pages.
func (b *builder) scripts() error {
	entries, err := web.ReadDir("web")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "LICENSE-") {
			continue // package licences reads them
		}
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
	return nil
}
