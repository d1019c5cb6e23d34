package course

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	htmlpage "github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

func newEquationsCmd() *cobra.Command {
	var asJSON, gaps bool
	var symbol, file string
	cmd := &cobra.Command{
		Use:   "equations",
		Short: "list the equations of the books, and how often code, tests, exercises, lessons and figures cite them",
		Long: `This command lists every numbered equation of the books, and counts the places in code,
tests, exercises, lessons and figures that cite the equation. The command notebooks writes
the same list to the page notebooks/` + equations.PageName + `.

--symbol NAME lists only the equations that the documentation of the function or type cites.
--gaps lists equations that no code or no test cites, unless their table gives a reason. It
also lists errata that need a test but have none.
--html FILE writes the page to a file, as HTML.

` + exitHelp,
		Example: `  go run ./generate equations
  go run ./generate equations --symbol FitLogistic
  go run ./generate equations --gaps
  go run ./generate equations --html out/equations.html`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, module, err := openModule()
			if err != nil {
				return bad(err)
			}
			x, err := current.Equations.Build(module)
			if err != nil {
				return bad(err)
			}
			out := cmd.OutOrStdout()
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			defer w.Flush()
			switch {
			case asJSON:
				enc := json.NewEncoder(out)
				enc.SetIndent("", "  ")
				return bad(enc.Encode(x))
			case file != "":
				return bad(writeEquations(module, x, file))
			case gaps:
				for _, g := range x.Gaps() {
					fmt.Fprintf(w, "%s\tno %s\n", g.ID, g.Missing)
				}
				fmt.Fprintf(w, "%d gaps in %d equations and %d errata\n", len(x.Gaps()), len(x.Equations),
					len(x.Errata))
				return nil
			}
			list := x.Equations
			if symbol != "" {
				if list = x.Symbol(symbol); len(list) == 0 {
					return bad(errors.New("the documentation of " + symbol +
						" cites no equation: give the name of a function or type of the toolkit, such as FitLogistic or Logistic.Wald"))
				}
			}
			for _, e := range list {
				fmt.Fprintf(w, "%s\t%d code\t%d tests\t%d exercises\t%d lessons\t%d figures\t%s\n", e.ID, len(e.Code),
					len(e.Checks), len(e.Exercises), len(e.Lessons), len(e.Figures), e.Words)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON")
	cmd.Flags().BoolVar(&gaps, "gaps", false,
		"list equations that lack code or a test, and errata that lack a test")
	cmd.Flags().StringVar(&symbol, "symbol", "",
		"list the equations that the documentation of this function or type cites")
	cmd.Flags().StringVar(&file, "html", "", "write the page to this file")
	cmd.MarkFlagsMutuallyExclusive("json", "gaps", "symbol", "html")
	return cmd
}

// equationsPage returns the text of the page that lists all equations in x, the index of the
// equations. If the course has a file notation.md, the page also contains the table of notation
// from that file.
func equationsPage(module fs.FS, x *equations.Index) ([]byte, error) {
	notation, err := fs.ReadFile(module, path.Join(current.Equations.Dir, "notation.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return x.Page(string(notation)), nil
}

// writeEquations writes the page of the equations to a file, as standalone HTML. It keeps only links
// within the page, because links to files of the repository would not work from the HTML file.
func writeEquations(module fs.FS, x *equations.Index, file string) error {
	text, err := equationsPage(module, x)
	if err != nil {
		return err
	}
	b := htmlpage.New(htmlpage.Options{Trust: true, Strict: true, Link: func(href string) (string, error) {
		if !strings.HasPrefix(href, "#") {
			href = ""
		}
		return href, nil
	}})
	b.Markdown(equations.PageName, string(text))
	doc, err := b.Document()
	if err != nil {
		return err
	}
	html, err := doc.Standalone(doc.Title)
	if err != nil {
		return err
	}
	return files.Write(file, html)
}
