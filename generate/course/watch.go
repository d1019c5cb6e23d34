package course

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/site"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/watch"
)

// The code in this file serves a site to the author of a course (site --serve --watch). When the
// author changes a source, the code remakes the pages that depend on this source.

// watchInterval is the time between two checks for changed sources.
const watchInterval = 500 * time.Millisecond

// siteDir and playDir contain the scripts and styles of the pages. The program contains copies of
// these files. But for hyperplane's own course, the author's server reads the files in the folders, so
// that the author can change them while the site is served.
const (
	siteDir = "generate/internal/site"
	playDir = "generate/internal/play"
)

// A watchServer shows a site to the author of the course. When a source changes, the server remakes the
// pages that depend on this source.
type watchServer struct {
	root, out   string
	module      fs.FS
	stdout, err io.Writer
	options     site.Options
	files       *watch.Files
	news        *watch.News
	unvetted    []string // changed folders for which go vet has not succeeded yet; the next update vets them again
	uncompiled  bool     // whether a check has changed since the last call of compile
	vet         func(ctx context.Context, folders []string) error
	compile     func() // starts to build the compiler of the site again; nil if the server builds no compiler
	ctx         context.Context
}

func newWatchServer(cmd *cobra.Command, root, out string) *watchServer {
	if absolute, err := filepath.Abs(out); err == nil {
		out = absolute
	}
	s := &watchServer{root: root, out: out, module: os.DirFS(root), stdout: cmd.OutOrStdout(), err: cmd.ErrOrStderr(),
		news: watch.NewNews(), ctx: cmd.Context()}
	s.vet = s.goVet
	return s
}

// beginWatch records the present state of the sources, before the first pages are made. It also
// changes the options o: Build then uses notebooks made from the current sources. For hyperplane's own
// course, Build also reads the files in siteDir, and not the copies that the program embeds.
func (s *watchServer) beginWatch(o *site.Options) (err error) {
	folders := []string{"."}
	if cell.InHyperplane() {
		folders = append(slices.Clone(current.Equations.Roots), notebookDir)
	}
	if s.files, err = watch.NewFiles(s.module, folders...); err != nil {
		return err
	}
	o.Kept = &site.Kept{}
	if cell.InHyperplane() { // only the module of this course contains siteDir and playDir
		o.Own = os.DirFS(filepath.Join(s.root, filepath.FromSlash(siteDir)))
	}
	o.Module, err = withRendered(s.module)
	return err
}

// serve serves the site until a signal interrupts the command, and remakes pages when their sources
// change. If `build` is true, serve builds the compiler of the site, unless an up-to-date compiler
// exists, and builds it again whenever the check of an exercise changes.
func (s *watchServer) serve(l net.Listener, o site.Options, reuse string, build bool) error {
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	s.options = o
	state := func() play.State { return play.State{} }
	if build {
		c := &compilers{ctx: ctx, server: s, reuse: reuse}
		defer c.stopBuild()
		s.compile, state = c.restart, c.state
		if inputs, err := compilerInputs(s.module); err != nil {
			return err
		} else if !hasCompiler(s.out, inputs) {
			c.restart()
		}
	}
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	ended := make(chan struct{})
	defer func() { stop(); <-ended }()
	go func() {
		defer close(ended)
		s.run(ctx, tick.C)
	}()
	fmt.Fprintf(s.stdout, "serving http://%s/ and watching the sources until you press Ctrl-C\n", l.Addr())
	return play.Serve(ctx, l, s.news.Handler(play.Handler(s.out, state)))
}

// run calls `update` whenever the channel `tick` delivers a value. It returns when `ctx` is done or
// `tick` is closed.
func (s *watchServer) run(ctx context.Context, tick <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case _, ok := <-tick:
			if !ok {
				return
			}
			s.update(ctx)
		}
	}
}

// update checks for sources that have changed since its last call. It makes the pages of these
// sources again, runs go vet for changed checks, and reports errors to the terminal and to the pages.
// If there is no error and a check has changed, it also starts to build the compiler again.
func (s *watchServer) update(ctx context.Context) {
	changed, err := s.files.Changed()
	if err != nil {
		s.reportError(err)
		return
	}
	changed = slices.DeleteFunc(changed, s.unrelated)
	if len(changed) == 0 {
		return
	}
	fmt.Fprintln(s.stdout, "changed:", strings.Join(changed, ", "))
	packages, checks := slices.Clone(s.unvetted), s.uncompiled
	for _, p := range changed {
		switch {
		case path.Ext(p) == ".go" && !isCheck(p):
			fmt.Fprintf(s.stdout, "%s is part of this program: to see the change, stop the program and run it again\n", p)
		case path.Ext(p) == ".go":
			packages = append(packages, path.Dir(p))
			checks = checks || !strings.HasSuffix(p, "_test.go")
		}
	}
	slices.Sort(packages)
	s.unvetted, s.uncompiled = slices.Compact(packages), checks
	written, err := s.makePages(ctx)
	if err == nil {
		err = s.vet(ctx, s.unvetted)
	}
	if ctx.Err() != nil {
		return
	}
	s.reportError(err, written...)
	if err != nil {
		return
	}
	if checks && s.compile != nil {
		s.compile()
	}
	s.unvetted, s.uncompiled = nil, false
}

// isCheck reports whether a Go file is in the package of an exercise, as check.go is, or anywhere
// below the folder exerciseSources. For the author's server, all other Go files are part of the
// running program.
func isCheck(p string) bool {
	return slices.ContainsFunc(current.Entries, func(e exercises.Checked) bool { return path.Dir(p) == e.Dir() }) ||
		strings.HasPrefix(p, exerciseSources+"/")
}

// unrelated reports whether the server ignores a change to the file p. The server ignores the files
// of the site that it has written, tests outside the exercises, and all files that are not sources of
// pages.
func (s *watchServer) unrelated(p string) bool {
	if out, err := filepath.Rel(s.root, s.out); err == nil && strings.HasPrefix(p, filepath.ToSlash(out)+"/") {
		return true // the site itself
	}
	own := strings.HasPrefix(p, siteDir+"/") || strings.HasPrefix(p, playDir+"/web/")
	text := slices.Contains([]string{".md", ".go", ".ipynb"}, path.Ext(p))
	test := strings.HasSuffix(p, "_test.go") && !isCheck(p)
	return test || !own && !text
}

// reportError prints err and sends it to the pages that are open in browsers. If err is nil, the
// pages remove an earlier error. reportError also tells the pages which files of the site were
// written.
func (s *watchServer) reportError(err error, written ...string) {
	text := ""
	if err != nil {
		text = err.Error()
		fmt.Fprintln(s.err, program+":", text)
	}
	s.news.Tell(text, written...)
}

// makePages makes the pages whose sources have changed, writes them, and returns the paths of the
// written files. If a source contains an error, makePages writes nothing, and the old pages stay.
func (s *watchServer) makePages(ctx context.Context) ([]string, error) {
	o := s.options
	err := func() (err error) {
		if o.Module, err = withRendered(s.module); err != nil {
			return err
		}
		if o.Play != nil && cell.InHyperplane() {
			web, err := play.Web(os.DirFS(filepath.Join(s.root, filepath.FromSlash(playDir))))
			if err != nil {
				return err
			}
			o.Play = maps.Clone(o.Play)
			maps.Copy(o.Play, web)
		}
		return readSources(&o, s.module)
	}()
	var pages files.Tree
	if err == nil {
		pages, err = site.Build(ctx, o)
	}
	if err != nil {
		return nil, addPlaces(s.module, err)
	}
	done, err := pages.Write(ctx, s.out)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(s.stdout, "made %d pages%s; %d files written\n", len(o.Kept.Made), listPaths(o.Kept.Made), len(done.Written))
	return done.Written, nil
}

// listPaths returns the first four paths in parentheses, for a message, or "" if paths is empty.
func listPaths(paths []string) string {
	switch n := len(paths); {
	case n == 0:
		return ""
	case n > 4:
		return " (" + strings.Join(paths[:4], ", ") + ", …)"
	}
	return " (" + strings.Join(paths, ", ") + ")"
}

// goVet runs go vet for the packages in the given folders. The command also finds compile errors in
// the packages and their tests.
func (s *watchServer) goVet(ctx context.Context, folders []string) error {
	if len(folders) == 0 {
		return nil
	}
	args := []string{"vet"}
	for _, f := range folders {
		args = append(args, "./"+f)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = s.root
	if text, err := cmd.CombinedOutput(); err != nil {
		return errors.New(cmp.Or(strings.TrimSpace(string(text)), err.Error()))
	}
	return nil
}

// withRendered returns a file system with the files of the module. In it, new versions of the
// notebooks and of the page of equations, made from the current sources, replace the committed
// versions. A cell keeps its outputs from the committed notebook if its source is unchanged.
func withRendered(module fs.FS) (fs.FS, error) {
	_, all, _, err := renderAll(module)
	if err != nil {
		return nil, err
	}
	made := files.Tree{}
	for p, text := range all {
		p = path.Join(notebookDir, p)
		if old, err := fs.ReadFile(module, p); err == nil {
			text = withMatchingOutputs(text, old)
		}
		made[p] = text
	}
	return &overlay{module, made}, nil
}

// overlay is the file system FS with the files in `made` added, but only for its methods ReadFile and
// Glob. If FS and `made` contain a file with the same path, ReadFile returns the file in `made`.
type overlay struct {
	fs.FS
	made files.Tree
}

func (o *overlay) ReadFile(name string) ([]byte, error) {
	if text, ok := o.made[name]; ok {
		return slices.Clone(text), nil
	}
	return fs.ReadFile(o.FS, name)
}

// Glob returns the names of all files in FS and in `made` that match a pattern.
func (o *overlay) Glob(pattern string) ([]string, error) {
	found, err := fs.Glob(o.FS, pattern)
	for p := range o.made {
		if ok, _ := path.Match(pattern, p); ok {
			found = append(found, p)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), err
}

var (
	// fileAndLine matches the beginning of an error that names a source file and a line, such as
	// "check.go:3: ".
	fileAndLine = regexp.MustCompile(`^[\w./-]+:[0-9]+(?::[0-9]+)?: `)
	// notebookPath matches the path of a notebook, an HTML page or a Markdown page in an error
	// message.
	notebookPath = regexp.MustCompile(`(?:notebooks/)?((?:[a-z0-9-]+/)*[\w.-]+\.(?:ipynb|html|md))\b`)
	// quotedText matches text from a source file in an error message: a text in quotes, a name in
	// braces, or a formula between dollar signs.
	quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{[a-z]+:[^{}]*\}|\$[^$\n]+\$`)
)

// addPlaces adds the source file and the line number to the beginning of each line of err that does
// not begin with them. An error from building the site names a notebook or a page, and quotes a
// formula, a link or a name. addPlaces searches the source file of that notebook or page for the quoted
// text. If it does not find the text, it does not change the line of err.
func addPlaces(module fs.FS, err error) error {
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		if fileAndLine.MatchString(line) {
			continue
		}
		if place := placeOf(module, line); place != "" {
			lines[i] = place + ": " + line
		}
	}
	return errors.New(strings.Join(lines, "\n"))
}

// placeOf returns the source file and the line number of an error, such as "lessons/01-line.md:12".
// The argument `line` is a line of the error message. If placeOf does not find the place, it
// returns "".
func placeOf(module fs.FS, line string) string {
	m := notebookPath.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	sources, err := sourcesOf(module, strings.TrimSuffix(m[1], path.Ext(m[1]))+".ipynb")
	if err != nil {
		return ""
	}
	for _, quoted := range quotedText.FindAllString(line, -1) {
		if text, err := strconv.Unquote(quoted); err == nil {
			quoted = text
		}
		for _, name := range sources {
			text, err := fs.ReadFile(module, name)
			if before, _, ok := strings.Cut(string(text), quoted); err == nil && ok && quoted != "" {
				return fmt.Sprintf("%s:%d", name, 1+strings.Count(before, "\n"))
			}
		}
	}
	return ""
}

// sourcesOf returns the paths of the Markdown files from which a notebook or the page of equations is
// made. The path `notebook` is relative to the folder notebookDir and always ends in .ipynb, also for
// the page of equations.
func sourcesOf(module fs.FS, notebook string) ([]string, error) {
	if notebook == strings.TrimSuffix(equations.PageName, ".md")+".ipynb" {
		return fs.Glob(module, current.Equations.Dir+"/*.md")
	}
	list, err := current.Exercises(module)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range list {
		for _, p := range []string{e.LearnerPath(), e.SolvedPath()} {
			if path.Join(exerciseDir, p) == notebook {
				found = append(found, path.Join(e.Dir, "exercise.md"))
			}
		}
	}
	lessons, err := current.Lessons(module)
	for _, l := range lessons {
		if l.Path() == notebook {
			found = append(found, path.Join(current.LessonDir, path.Base(l.Slug)+".md"))
		}
	}
	return found, err
}

// compilers builds the compiler of the author's site. After each change to a check, it builds the
// compiler again.
type compilers struct {
	ctx    context.Context
	server *watchServer
	reuse  string

	mu    sync.Mutex
	child *compilerBuild
	stop  context.CancelFunc
}

// restart starts to build the compiler again. If an earlier build is still running, restart ends
// that build first.
func (c *compilers) restart() {
	c.stopBuild()
	ctx, stop := context.WithCancel(c.ctx)
	child, err := startCompilerBuild(ctx, c.server.root, c.server.out, c.reuse)
	if err != nil {
		stop()
		fmt.Fprintln(c.server.err, program+": cannot build the compiler for the pages:", err)
		return
	}
	c.mu.Lock()
	c.child, c.stop = child, stop
	c.mu.Unlock()
	fmt.Fprintln(c.server.stdout, "building the compiler for the pages; meanwhile you can read the pages")
	go func() {
		<-child.ended
		switch failed := child.State().Failed; {
		case ctx.Err() != nil: // print nothing: a newer build has started, or the server has ended
		case failed != "":
			c.server.reportError(errors.New(failed))
		default:
			fmt.Fprintln(c.server.stdout, "the compiler is ready; the pages can now judge answers")
		}
	}()
}

// stopBuild ends the running build of the compiler, if there is one, and waits until the build has
// ended.
func (c *compilers) stopBuild() {
	c.mu.Lock()
	child, stop := c.child, c.stop
	c.mu.Unlock()
	if child != nil {
		stop()
		<-child.ended
	}
}

func (c *compilers) state() play.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.child == nil {
		return play.State{}
	}
	return c.child.State()
}
