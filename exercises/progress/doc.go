// Package progress records which exercises a learner has tried, passed and revealed, in a single
// plain JSON file beside the notebooks:
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
// Exercises are stored under their ids, which never change. A toolkit keeps the records of
// exercises that it does not know. It does not change a file of a different version or with unknown
// fields, so older and newer toolkits can use the same file.
//
// Problems with the file never stop an exercise. A missing [File] counts as an empty one. A file
// that cannot be parsed is renamed, never overwritten. A failure to write is a one-line error, and
// the caller continues after it.
package progress
