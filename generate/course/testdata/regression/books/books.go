// Package books is the table of the books of the course.
package books

import "github.com/hyperplane-notebooks/hyperplane/exercises"

// All are the books of the course. N in Numbers stands for a whole number.
var All = exercises.Books{
	{ID: "own", Name: "Own", Author: "The Teacher", Title: "Linear regression, own notes", Chapter: "chapter 3", Numbers: "3.N", Folder: "own", Equations: []string{"own3.md"}},
}
