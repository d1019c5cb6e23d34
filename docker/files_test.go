// Package docker_test tests the scripts in this folder, and checks the files that set up clusters and
// hubs. The tests run the scripts, but only read the files, because no cluster is available to which
// they could apply the files.
package docker_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// manifestSchema validates manifests against the OpenAPI specification of Kubernetes.
type manifestSchema struct {
	kinds   map[string]string
	schemas *jsonschema.Compiler
}

const specification = "testdata/kubernetes-1.31.json"

func newKubernetes(t *testing.T) *manifestSchema {
	t.Helper()
	text, err := os.ReadFile(specification)
	noError(t, err)
	var list struct{ Kinds map[string]string }
	noError(t, json.Unmarshal(text, &list))
	return &manifestSchema{list.Kinds, jsonschema.NewCompiler()}
}

// validate returns an error if a document in the manifest violates the specification, or if the
// manifest contains no document.
func (k *manifestSchema) validate(manifest []byte) error {
	documents := 0
	for d := yaml.NewDecoder(bytes.NewReader(manifest)); ; documents++ {
		var v map[string]any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		kind := fmt.Sprintf("%v %v", v["apiVersion"], v["kind"])
		name, ok := k.kinds[kind]
		if !ok {
			return fmt.Errorf("invalid kind %q: want one of %v", kind, slices.Sorted(maps.Keys(k.kinds)))
		}
		schema, err := k.schemas.Compile(specification + "#/components/schemas/" + name)
		if err != nil {
			return err
		}
		text, err := json.Marshal(v) // convert the document to JSON, the form in which the API server receives it
		if err != nil {
			return err
		}
		object, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		if err := schema.Validate(object); err != nil {
			return err
		}
	}
	if documents == 0 {
		return errors.New("the manifest contains no document")
	}
	return nil
}

// noError fails the test immediately if err is not nil.
func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	noError(t, err)
	return string(text)
}

// TestKubernetes checks that the kustomization lists every manifest in its folder, and that each of
// these manifests satisfies the specification of Kubernetes.
func TestKubernetes(t *testing.T) {
	var k struct{ Resources []string }
	noError(t, yaml.Unmarshal([]byte(read(t, "kubernetes/kustomization.yaml")), &k))
	there, _ := filepath.Glob("kubernetes/*.yaml")
	for i, file := range there {
		there[i] = filepath.Base(file)
	}
	there = slices.DeleteFunc(there, func(f string) bool { return f == "kustomization.yaml" })
	slices.Sort(k.Resources)
	if len(there) < 3 || !slices.Equal(there, k.Resources) {
		t.Errorf("the kustomization lists %v, but its folder contains %v; want equal lists of at least 3 files", k.Resources, there)
	}
	spec := newKubernetes(t)
	for _, file := range there {
		if err := spec.validate([]byte(read(t, "kubernetes/"+file))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestRedKubernetes makes one invalid change to a manifest in each case. The method `validate` must
// then reject the manifest and name the cause.
func TestRedKubernetes(t *testing.T) {
	spec := newKubernetes(t)
	for name, tt := range map[string]struct{ file, old, new, want string }{
		"a required field is missing": {"grade.yaml", "        - name: judge\n", "        - stdin: false\n", "name"},
		"a required field of the spec is missing": {"network-policy.yaml",
			"  podSelector:\n    matchLabels:\n      app: hyperplane-grade\n", "", "podSelector"},
		"an invalid enum value": {"grade.yaml", "completionMode: Indexed", "completionMode: Index",
			"completionMode"},
		"an invalid policy type": {"network-policy.yaml", "[Ingress, Egress]", "[Ingress, Outgress]",
			"policyTypes"},
		"an unknown field": {"grade.yaml", "backoffLimit:", "backOffLimit:", "backOffLimit"},
		"an unknown nested field": {"grade.yaml", "readOnlyRootFilesystem: true", "readOnlyRootFileSystem: true",
			"readOnlyRootFileSystem"},
		"a string in place of a number": {"grade.yaml", "parallelism: 8", `parallelism: "8"`, "parallelism"},
		"a number in place of a string": {"grade.yaml", `value: "16"`, "value: 16", "value"},
		"an unknown API version": {"grade.yaml", "apiVersion: batch/v1", "apiVersion: batch/v1beta1",
			"invalid kind \"batch/v1beta1 Job\""},
	} {
		manifest := read(t, "kubernetes/"+tt.file)
		broken := strings.Replace(manifest, tt.old, tt.new, 1)
		if broken == manifest {
			t.Errorf("%s: the manifest %s does not contain %q", name, tt.file, tt.old)
			continue
		}
		if err := spec.validate([]byte(broken)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got the error %v, want an error that contains %q", name, err, tt.want)
		}
	}
	if err := spec.validate(nil); err == nil {
		t.Error("validate accepts an empty manifest, want an error")
	}
}

// specificNames matches the host names of public image registries, and the paths of home folders,
// which exist only on one machine. It does not match home folders whose names begin with "jo",
// because the images of Binder use the folder /home/jovyan.
var specificNames = regexp.MustCompile(`\b(docker\.io|ghcr\.io|quay\.io|gcr\.io|registry\.k8s\.io|mcr\.microsoft\.com)\b|(^|[\s"'=:])/(root|home/(?:[^j]|j[^o]))`)

// TestNamesNoRegistry checks that the files for clusters, hubs, Binder, GitHub and development
// containers contain no match of specificNames, because every cluster has its own registry and
// folders.
func TestNamesNoRegistry(t *testing.T) {
	seen := 0
	for _, dir := range []string{"kubernetes", "slurm", "hub", "compose.yaml", "../.binder", "../.github",
		"../.devcontainer"} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			seen++
			if hit := specificNames.FindString(read(t, path)); hit != "" {
				t.Errorf("%s contains %q, want no name of a public registry and no home folder", path, hit)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if seen < 10 {
		t.Errorf("the test read %d files, want at least 10", seen)
	}
	for _, red := range []string{"image: ghcr.io/a/b", "path: /root/x", "FROM docker.io/library/golang",
		"/home/ada/x"} {
		if !specificNames.MatchString(red) {
			t.Errorf("specificNames does not match %q, want a match", red)
		}
	}
}

// TestForms checks that the issue forms and the citation file have the fields that GitHub requires,
// because GitHub ignores an invalid file without an error message. TestForms also checks that the
// commands in devcontainer.json run only targets of the Makefile and steps of setup.sh.
func TestForms(t *testing.T) {
	forms, _ := filepath.Glob("../.github/ISSUE_TEMPLATE/*.yml")
	var names []string
	for _, file := range forms {
		if filepath.Base(file) == "config.yml" {
			continue
		}
		var form struct {
			Name, Description string
			Labels            []string
			Body              []struct {
				Type, ID    string
				Attributes  struct{ Label, Description, Placeholder, Render string }
				Validations struct{ Required bool }
			}
		}
		d := yaml.NewDecoder(strings.NewReader(read(t, file)))
		d.KnownFields(true)
		if err := d.Decode(&form); err != nil || form.Name == "" || form.Description == "" || len(form.Body) == 0 {
			t.Errorf("%s: got the error %v and the form %+v, want a form with a name, a description and a body", file, err, form)
		}
		names = append(names, form.Name)
		ids, required := map[string]bool{}, false
		for _, b := range form.Body {
			if ids[b.ID] || b.ID == "" || b.Attributes.Label == "" || b.Type != "input" && b.Type != "textarea" {
				t.Errorf("%s: got the field %+v, want a unique id, a label, and the type input or textarea", file, b)
			}
			ids[b.ID] = true
			required = required || b.Validations.Required
		}
		if !required {
			t.Errorf("%s has no required field, want at least one", file)
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"Fault", "Misprint", "Wrong verdict"}) {
		t.Errorf("got issue forms with the names %q, want Fault, Misprint and Wrong verdict", names)
	}
	var cite struct {
		Version string `yaml:"cff-version"`
		Title   string
		Message string
		License string
		Authors []map[string]string
	}
	err := yaml.Unmarshal([]byte(read(t, "../.github/CITATION.cff")), &cite)
	if err != nil || cite.Version == "" || cite.Title == "" || cite.Message == "" || cite.License != "MIT" ||
		len(cite.Authors) == 0 {
		t.Errorf("CITATION.cff: got the error %v and the fields %+v, want cff-version, title, message and authors, and the license MIT", err, cite)
	}
	var container map[string]any
	noError(t, json.Unmarshal([]byte(read(t, "../.devcontainer/devcontainer.json")), &container))
	makefile, setup := read(t, "../Makefile"), read(t, "setup.sh")
	for _, name := range []string{"onCreateCommand", "postAttachCommand"} {
		for command := range strings.SplitSeq(fmt.Sprint(container[name]), " && ") {
			program, words, _ := strings.Cut(command, " ")
			for _, word := range strings.Fields(words) {
				target := strings.Contains(makefile, "\n"+word+":") && program == "make"
				step := strings.Contains(setup, "\nstep_"+word+"()") && program == "docker/setup.sh"
				if !target && !step {
					t.Errorf("%s runs %q with the argument %s, want make with targets of the Makefile, or docker/setup.sh with its steps", name, command, word)
				}
			}
			if words == "" {
				t.Errorf("%s runs %q, want a command with arguments", name, command)
			}
		}
	}
}
