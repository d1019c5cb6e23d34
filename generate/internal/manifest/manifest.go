// Package manifest draws the figures of the catalogue into a folder, writes down what
// was drawn, and compares such a manifest with what is drawn now.
package manifest

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

const (
	schema  = "hyperplane-figures/1"
	version = toolkit.Version
)

// A Manifest says which figures a folder holds, how they were made, and what
// their bytes must sum to. It holds no date and no path: equal figures have equal manifests.
type Manifest struct {
	Schema  string `json:"schema"`  // "hyperplane-figures/1"
	Version string `json:"version"` // of the toolkit
	Size    string `json:"size"`
	Figures []Item `json:"figures"`
}

// An Item is one figure of a manifest.
type Item struct {
	ID         string  `json:"id"`
	Title      string  `json:"title"`
	Source     string  `json:"source"`
	LookFor    string  `json:"look_for"`
	Alt        string  `json:"alt"`                  // the picture in words
	Call       string  `json:"call"`                 // Go code that draws it
	ChartCall  string  `json:"chart_call,omitempty"` // Go code of its interactive form
	Parameters any     `json:"parameters,omitempty"`
	Seed       *uint64 `json:"seed,omitempty"`
	Numbers    string  `json:"numbers"` // SHA-256 of the numbers as CSV
	Files      []File  `json:"files"`
}

// A File is one file of a figure.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
