package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// This file contains the gates that test the site and the commands of the README.

// buildSite builds the site together with the Go compiler for its pages. The build fails unless
// every link within the site has a target, every formula is typeset, and no page loads anything from
// another host. buildSite also returns an error if the page of the tour has no interactive chart.
func buildSite(s *session) error {
	if err := s.runCommand("docker/demo.sh", "some"); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "out", "site", "tour.html"))
	if err == nil &&
		!(strings.Contains(string(text), `class="hyperplane-chart"`) &&
			regexp.MustCompile(`assets/charts/.*\.js`).Match(text)) {
		err = errors.New("the site's page of the tour has no interactive chart")
	}
	return err
}

// The gate `page` tests the exercise pages, which compile answers in the browser. The pages must
// judge answers correctly in Chromium and Firefox.
func page(s *session) error    { return s.runPageTests() }
func pageAll(s *session) error { return s.runPageTests("HYPERPLANE_PLAY_ALL=1") }

func (s *session) runPageTests(env ...string) error {
	if _, err := os.Stat(filepath.Join(s.dir, "out", "site", "assets", "play", "play.json")); err != nil {
		if err := buildSite(s); err != nil {
			return err
		}
	}
	env = append(env, "HYPERPLANE_PLAY_SITE="+filepath.Join(s.dir, "out", "site"),
		"HYPERPLANE_PLAY_CACHE="+filepath.Join(s.dir, ".tools", "reuse"),
		"HYPERPLANE_SCREENSHOTS="+filepath.Join(s.dir, "out", "page-shots"))
	return s.goTest(env, "-tags=playtest", "-count=1", "-timeout=40m", "./generate/internal/play")
}

var readmeCommand = regexp.MustCompile(`(?m)^go run \./generate ([^#\n]*)`)

// runReadme runs the commands of the README that begin with `go run ./generate`. In these commands
// it replaces the folders out/ and work/ with temporary folders.
func runReadme(s *session) error {
	text, err := os.ReadFile(filepath.Join(s.dir, "README.md"))
	if err != nil {
		return err
	}
	commands := readmeCommand.FindAllStringSubmatch(string(text), -1)
	if len(commands) == 0 {
		return errors.New("the README contains no line that begins with go run ./generate")
	}
	work := filepath.Join(s.scratch, "work") + "/"
	if _, err := s.commandOutput(s.generate, "notebooks", "--work", work); err != nil {
		return err
	}
	for path, text := range map[string]string{work + "roster.csv": "id,name\nada,Ada Lovelace\n",
		work + "answer.go": "func LambdaSquared() float64 { return math.Pi / 8 }\n"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	for _, m := range commands {
		args := strings.Fields(m[1])
		for i, a := range args {
			if strings.HasPrefix(a, "out/") || strings.HasPrefix(a, "work/") {
				args[i] = filepath.Join(s.scratch, a)
			}
		}
		switch args[0] {
		case "grade":
			if e := os.CopyFS(filepath.Join(work, "hand-ins"),
				os.DirFS(filepath.Join(work, "course", "release"))); e != nil {
				return e
			}
		case "site": // reuse the Go compiler that the gate `site` has already built
			args = append(args, "--reuse", filepath.Join(s.dir, ".tools", "reuse"))
		}
		printed, e := s.commandOutput(s.generate, args...)
		// `generate run` exits with 1, because nobody has solved the learner's notebook
		if exit := exitCode(e); e != nil && !(args[0] == "run" && exit == 1) {
			err = errors.Join(err, fmt.Errorf("%s: %w\n%s", m[0], e, printed))
		}
	}
	fmt.Fprintf(s.w, "ran %d commands of the README\n", len(commands))
	return err
}
