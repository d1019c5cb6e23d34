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
// exercises that it does not have. It does not touch a file of a different version or with unknown
// fields, so that a file survives older and newer toolkits.
//
// The file must never get in the way of an exercise. A missing [File] starts empty. A file that
// cannot be parsed is renamed, never overwritten. A failure to write is a one-line error, after
// which the caller continues.
package progress
