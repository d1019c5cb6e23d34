package docker_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// A container contains the settings that the tests check in one container of a pod. Most of these
// settings restrict what the programs in the container can do.
type container struct {
	Name      string
	Resources struct {
		Limits map[string]string
	}
	SecurityContext struct {
		AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
		ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
		Capabilities             struct{ Drop []string }
	} `yaml:"securityContext"`
	VolumeMounts []struct {
		Name     string
		ReadOnly bool `yaml:"readOnly"`
	} `yaml:"volumeMounts"`
	Env []struct{ Name, Value string }
}

// A podSpec contains the restrictions that apply to the whole pod, and the pod's containers.
type podSpec struct {
	AutomountServiceAccountToken *bool `yaml:"automountServiceAccountToken"`
	SecurityContext              struct {
		RunAsNonRoot bool `yaml:"runAsNonRoot"`
	} `yaml:"securityContext"`
	InitContainers []container `yaml:"initContainers"`
	Containers     []container
}

// missingRestrictions lists the restrictions that are missing in the pod or in one of its
// containers.
func (p *podSpec) missingRestrictions() (list []string) {
	if token := p.AutomountServiceAccountToken; !p.SecurityContext.RunAsNonRoot || token == nil || *token {
		list = append(list, "the pod may run as root, or has a token for the Kubernetes API")
	}
	for _, c := range slices.Concat(p.InitContainers, p.Containers) {
		s := c.SecurityContext
		if s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || !s.ReadOnlyRootFilesystem ||
			!slices.Equal(s.Capabilities.Drop, []string{"ALL"}) {
			list = append(list, c.Name+" is not confined: want no privilege escalation, a read-only root file system, and no capabilities")
		}
		if c.Resources.Limits["memory"] == "" || c.Resources.Limits["cpu"] == "" {
			list = append(list, c.Name+" has no memory limit or no CPU limit")
		}
		for _, m := range c.VolumeMounts {
			switch {
			case c.Name == "answer" && m.Name != "socket" && m.Name != "answer-tmp":
				list = append(list, "the container answer mounts the volume "+m.Name+", want only socket and answer-tmp")
			case c.Name == "judge" && (m.Name == "class" || m.Name == "hand-ins") && !m.ReadOnly:
				list = append(list, "the container judge can write to the volume "+m.Name)
			}
		}
	}
	return list
}

type gradeJob struct {
	Spec struct {
		Completions int
		Template    struct {
			Metadata struct{ Labels map[string]string }
			Spec     podSpec
		}
	}
}

// TestRedConfinement weakens one restriction of the manifest in each case. It checks that
// missingRestrictions reports this restriction.
func TestRedConfinement(t *testing.T) {
	manifest := read(t, "kubernetes/grade.yaml")
	for _, tt := range []struct{ old, new, want string }{
		{"runAsNonRoot: true", "runAsNonRoot: false", "may run as root"},
		{"automountServiceAccountToken: false", "automountServiceAccountToken: true", "has a token"},
		{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "answer is not confined"},
		{"drop: [ALL]", "drop: [NET_RAW]", "judge is not confined"},
		{`limits: {cpu: "1", memory: 2Gi,`, `limits: {cpu: "1",`, "answer has no memory limit"},
		{"- {name: answer-tmp, mountPath: /tmp}",
			"- {name: answer-tmp, mountPath: /tmp}\n            - {name: class, mountPath: /class}",
			"the container answer mounts the volume class"},
		{"mountPath: /class, readOnly: true", "mountPath: /class", "the container judge can write to the volume class"},
	} {
		var job gradeJob
		noError(t, yaml.Unmarshal([]byte(strings.Replace(manifest, tt.old, tt.new, 1)), &job))
		if faults := strings.Join(job.Spec.Template.Spec.missingRestrictions(), "; "); !strings.Contains(faults, tt.want) {
			t.Errorf("with %s in the manifest: got the missing restrictions %q, want a text that contains %q", tt.new, faults, tt.want)
		}
	}
}

// TestConfinement checks that the manifests of the grading job, of the pod `files` and of the network
// policy isolate answers as kubernetes/README.md promises. The test is needed because Kubernetes
// accepts manifests without any isolation.
func TestConfinement(t *testing.T) {
	var job gradeJob
	noError(t, yaml.Unmarshal([]byte(read(t, "kubernetes/grade.yaml")), &job))
	var files struct {
		Metadata struct{ Labels map[string]string }
		Spec     podSpec
	}
	noError(t, yaml.Unmarshal([]byte(read(t, "kubernetes/files.yaml")), &files))
	pod := job.Spec.Template.Spec
	for _, fault := range append(pod.missingRestrictions(), files.Spec.missingRestrictions()...) {
		t.Error(fault)
	}
	if len(pod.InitContainers) != 1 || pod.InitContainers[0].Name != "answer" || len(pod.Containers) != 1 ||
		pod.Containers[0].Name != "judge" {
		t.Fatalf("the job has the init containers %+v and the containers %+v, want one init container, named answer, and one container, named judge", pod.InitContainers, pod.Containers)
	}
	judge := pod.Containers[0]
	if e := judge.Env[0]; e.Name != "SHARDS" || e.Value != fmt.Sprint(job.Spec.Completions) {
		t.Errorf("the job has %d completions, but the first variable of the container judge is %s=%s, want SHARDS=%[1]d", job.Spec.Completions, e.Name, e.Value)
	}
	var policy struct {
		Spec struct {
			PodSelector struct {
				MatchLabels map[string]string `yaml:"matchLabels"`
			} `yaml:"podSelector"`
			PolicyTypes     []string `yaml:"policyTypes"`
			Ingress, Egress []any
		}
	}
	noError(t, yaml.Unmarshal([]byte(read(t, "kubernetes/network-policy.yaml")), &policy))
	p := policy.Spec
	selected := p.PodSelector.MatchLabels
	if !maps.Equal(selected, job.Spec.Template.Metadata.Labels) || !maps.Equal(selected, files.Metadata.Labels) ||
		len(p.PolicyTypes) != 2 || p.Ingress != nil || p.Egress != nil {
		t.Errorf("the network policy selects the labels %v and has the policy types %v, the ingress rules %v and the egress rules %v; the pods have the labels %v (grade.yaml) and %v (files.yaml); want three equal sets of labels, two policy types and no rules, so that the policy blocks all traffic of these pods",
			selected, p.PolicyTypes, p.Ingress, p.Egress, job.Spec.Template.Metadata.Labels, files.Metadata.Labels)
	}
}
