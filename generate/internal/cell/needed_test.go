package cell

import "testing"

func TestNeeded(t *testing.T) {
	earlier := []string{
		"// first is replaced.\nfunc first() int { return 0 }\n\ntype pair struct{ a, b int }\n\nfunc (p pair) sum() int { return p.a + p.b + base }",
		"%%\nfmt.Println(first())",
		"%%bash\necho first",
		"const base = 1\n\nvar unused = first()\n\n%%\nfmt.Println(base)",
		"// first counts.\nfunc first() int { return pair{1, 2}.sum() }",
	}
	for source, want := range map[string]string{
		"%%\nfmt.Println(1)":                      "",
		"%%\nfmt.Println(base)":                   "const base = 1",
		"%%\nfirst := 2\nfmt.Println(first)":      "",
		"%%\nfmt.Println(first())":                "type pair struct{ a, b int }\n\nfunc (p pair) sum() int { return p.a + p.b + base }\n\nconst base = 1\n\n// first counts.\nfunc first() int { return pair{1, 2}.sum() }",
		"func f() int { return base }\n%%\nf()":   "const base = 1",
		"this is not Go":                          "",
		"%%bash\necho base":                       "",
		"%%\nfmt.Println(pair{1, 2}.sum())\n\n\n": "type pair struct{ a, b int }\n\nfunc (p pair) sum() int { return p.a + p.b + base }\n\nconst base = 1",
	} {
		if got := Needed(earlier, source); got != want {
			t.Errorf("%q needs\n%s\nwant\n%s", source, got, want)
		}
	}
}
