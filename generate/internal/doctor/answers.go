package doctor

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// sandbox says whether the answers of others can be confined here.
func (m Machine) sandbox() (status Status, found, remedy string) {
	if _, err := m.LookPath("bwrap"); err != nil {
		return Missing, "bubblewrap (bwrap) is not on the PATH", "only for generate grade: run `docker/setup.sh packages`"
	}
	if err := m.Confines(); err != nil {
		return Mismatched, fmt.Sprintf("bubblewrap does not work: %v", strings.Join(strings.Fields(err.Error()), " ")),
			"only for generate grade: let users make namespaces (sysctl kernel.unprivileged_userns_clone=1; in a container, an option of its engine)"
	}
	return Present, "bubblewrap: no network, no file of this machine but the system's, no other process, a user of its own", ""
}

// limits says by what answers are limited here. Those of the process hold everywhere; a
// cgroup's hold for all processes of an answer together.
func (m Machine) limits() (status Status, found, remedy string) {
	if _, err := m.LookPath("prlimit"); err != nil {
		return Missing, "prlimit is not on the PATH", "only for generate grade and generate check: install util-linux"
	}
	process := "of each process, by prlimit: processor time, data, size of files; of all, by the judge: the clock"
	if m.Bound() {
		process = "of each answer, by prlimit: processes; " + process
	} else {
		process += "; processes are not limited, because answers run as root's user (let root make namespaces, or run generate as another user)"
	}
	g, err := m.Groups()
	switch {
	case err != nil:
		return Present, fmt.Sprintf("%s; no cgroup can be made (%s)", process, strings.Join(strings.Fields(err.Error()), " ")), ""
	case len(g.First) > 0:
		first := strings.Join(slices.Sorted(maps.Keys(g.First)), ", ")
		return Present, fmt.Sprintf("%s; of all together, by cgroups of version 1: %s", process, first), ""
	case len(g.Controllers) == 0:
		return Present, fmt.Sprintf("%s; ended together by a cgroup in %s, which limits nothing (no controllers)", process, g.Dir), ""
	}
	return Present, fmt.Sprintf("%s; of all together, by a cgroup in %s: %s; ended together", process, g.Dir, strings.Join(g.Controllers, ", ")), ""
}
