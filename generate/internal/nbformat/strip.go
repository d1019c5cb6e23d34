package nbformat

import (
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// transient are the keys of cell metadata that a run or a view leaves behind.
var transient = []string{"execution", "ExecuteTime", "collapsed", "scrolled", "trusted"}

// Strip removes from nb what running it has left: outputs, execution counts,
// timing and view metadata, and the Go release of the kernel that ran it.
// What remains is what a person or the generator wrote.
func (nb *Notebook) Strip() {
	for _, c := range nb.Cells {
		c.Outputs = nil
		c.ExecutionCount = nil
		for _, key := range transient {
			delete(c.Metadata, key)
		}
	}
	if spec, ok := nb.Metadata["kernelspec"].(map[string]any); ok && spec["name"] == "gonb" {
		nb.Metadata["kernelspec"] = kernelspec()
		nb.Metadata["language_info"] = languageInfo()
	}
	delete(nb.Metadata, "signature")
	delete(nb.Metadata, "widgets")
}

// StripTiming removes the metadata that differs from run to run (when and with
// which release of Go a cell ran) and outputs that hold the chart library, 700 kB of
// script; it keeps the other outputs and execution counts: the form in which a
// notebook with outputs is committed.
func (nb *Notebook) StripTiming() {
	outputs := make([][]Output, len(nb.Cells))
	counts := make([]*int, len(nb.Cells))
	for i, c := range nb.Cells {
		outputs[i] = slices.DeleteFunc(c.Outputs, func(o Output) bool { return o.Data(show.LibraryMIME) != nil })
		counts[i] = c.ExecutionCount
	}
	nb.Strip()
	for i, c := range nb.Cells {
		c.Outputs, c.ExecutionCount = outputs[i], counts[i]
	}
}
