// Package progress keeps which exercises a learner has tried, passed and had
// revealed, in one plain JSON file beside the notebooks:
//
//	{
//	  "schema": "hyperplane-progress/1",
//	  "exercises": {
//	    "prml-4.25": {
//	      "answer": {"passed": true, "tries": 2, "last": {"right": 3, "parts": 3, "finished": true}},
//	      "steps": null,
//	      "hints": [1],
//	      "offered": false,
//	      "revealed": false
//	    }
//	  }
//	}
//
// Exercises stand under their ids, which never change; those that a toolkit does
// not have it keeps. A file of another version, or with fields that a toolkit does
// not know, it leaves as it is: a file goes unharmed through older and newer ones.
//
// The file must never be in the way of an exercise. A [File] that is missing
// begins empty; one that cannot be understood is renamed, never overwritten; and
// what cannot be written is an error of one line, with which the caller goes on.
package progress
