// Package progress records which exercises a learner has tried, passed and revealed. The record is
// a single JSON file beside the notebooks:
//
//	{
//	  "schema": "hyperplane-progress/2",
//	  "exercises": {
//	    "prml-4.25": {
//	      "answer": {"passed": true, "tries": 2, "last": {"right": 3, "parts": 3, "finished": true},
//	        "earlier": [{"right": 1, "parts": 3, "finished": true, "wrong": {"2": "rounded", "3": ""}}],
//	        "passed_after": 2, "passed_on": "2026-11-24"},
//	      "steps": null,
//	      "hints": [1],
//	      "offered": false,
//	      "revealed": false
//	    }
//	  }
//	}
//
// The key of a record is the id of the exercise, which never changes. For a seed other than 0 the key
// also contains the seed, such as "prml-4.25:7" for the seed 7. The package keeps the records of
// exercises that this version of the toolkit does not contain. It reads files of schema 1, which
// had one record per exercise, and writes schema 2. It does not change a file with a different
// schema or with unknown fields, because contents would be lost.
//
// Problems with the file never stop an exercise. A missing [File] counts as a file without records. A
// damaged or empty file is renamed, never overwritten. If the file cannot be written, the error is a
// single line, and the caller continues without recording.
package progress
