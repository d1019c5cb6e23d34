package figures

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Entry is one figure of the catalogue.
type Entry struct {
	ID      string // such as "fig-prml-4.4"
	Title   string
	Source  string // the figure of the book or the slides that this figure reproduces
	LookFor string // one or two sentences on what to look for in the figure
	Call    string // Go code that draws the figure
	// Parameters is the options struct of the figure, with the default values filled in.
	Parameters any
	Seed       *uint64 // seed of the random data of the figure; nil if the figure has no random data
	// Draw draws the figure with its default options.
	Draw func() (*show.Figure, error)
	// Chart returns the interactive form of the figure, and ChartCall is the Go code that draws
	// this form. For a figure without an interactive form, Chart is nil and ChartCall is "".
	Chart     func() (*show.Chart, error)
	ChartCall string
}

// All returns the catalogue. The figures of PRML come first, then the figures of Alpaydin and of
// Gambosi, each group in the order of its source.
func All() []Entry {
	return []Entry{
		entry("fig-prml-4.1", "PRML figure 4.1", "The geometry of a linear discriminant",
			"w is normal to the line y(x) = 0. w0 determines the position of the line along w: its signed distance from the origin is −w0/‖w‖. A point lies at the signed distance y(x)/‖w‖ from the line.",
			PRML4x1, PRML4x1Chart),
		entry("fig-prml-4.2", "PRML figure 4.2", "Two-class machines leave regions without an answer",
			"The panels combine lines into a three-class machine in three ways. With K − 1 lines against the rest, two classes may claim a point. With K lines there are also points that no class claims. With a line for each pair the votes may tie, in the triangle in the middle.",
			PRML4x2, nil),
		entry("fig-prml-4.3", "PRML figure 4.3", "The regions of a linear machine are convex",
			"The class is the largest of K linear functions. All points between two points of a region belong to the region, so a region has no dents, no holes and no second pieces.",
			PRML4x3, nil),
		entry("fig-prml-4.4", "PRML figure 4.4", "Outliers pull least squares, not logistic regression",
			"The added points lie far out on the correct side. The boundary of least squares still turns towards them, because least squares penalises outputs that are too correct. The logistic boundary stays.",
			PRML4x4, PRML4x4Chart),
		entry("fig-prml-4.5", "PRML figure 4.5", "Least squares masks the class in the middle",
			"Least squares leaves hardly any region for the class in the middle. A linear function that should be 1 there and 0 on both sides is about 1/3 everywhere. Logistic regression separates the same points well.",
			PRML4x5, nil),
		entry("fig-prml-4.6", "PRML figure 4.6", "Projection on the line of the means, and on Fisher's",
			"Along the line of the means the histograms overlap, because both classes are long in a direction close to this line. In Fisher's direction the means are closer together, but the classes are narrow and overlap less.",
			PRML4x6, PRML4x6Chart),
		entry("fig-prml-4.7", "PRML figure 4.7", "The perceptron corrects one mistake at a time",
			"The point in the square is on the wrong side. The correction adds φ of this point, times the rate and the target ±1, to w (coloured arrow), and the rate times the target to the bias. The boundary turns and moves, and the point comes closer to the correct side. A correction may move other points to the wrong side; the last panel has no mistake.",
			PRML4x7, PRML4x7Chart),
		entry("fig-prml-4.8", "PRML figure 4.8", "A perceptron with 20 × 20 photocells learns to read",
			"Units wired at random to the cells are sufficient features: the perceptron learns to distinguish two printed characters at positions that it has not seen. The map traces the weights back to the cells: a cell is light if ink there is evidence for the first character, dark if it is evidence for the second. The shifts blur the map. The curve jumps because every correction changes the outputs for all images. L and T are an easy pair; the perceptron learns O and X far less well.",
			PRML4x8, nil),
		entry("fig-prml-4.9", "PRML figure 4.9", "The logistic sigmoid and the scaled probit function",
			"With λ² = π/8 both curves have slope 1/4 at 0. They never differ by more than 0.018; the probit curve reaches 0 and 1 sooner.",
			PRML4x9, nil),
		entry("fig-prml-4.10", "PRML figure 4.10", "Two Gaussian densities and the posterior they give",
			"Both densities have the same shape, so their quadratic terms cancel. The posterior is a sigmoid of a linear function, and its contours are straight lines.",
			PRML4x10, PRML4x10Chart),
		entry("fig-prml-4.11", "PRML figure 4.11", "Three Gaussians, two with a shared covariance",
			"C1 and C2 share a covariance, so their boundary is straight. C3 has a different covariance, so its boundaries are conics. The colours mix where no posterior probability is close to 1.",
			PRML4x11, nil),
		entry("fig-prml-4.12", "PRML figure 4.12", "Basis functions make a curved boundary straight",
			"No line separates the classes in the plane of x, but a line separates them in the plane of φ. In the plane of x this line becomes a curve around the centres. Move the centres.",
			PRML4x12, PRML4x12Chart),
		entry("fig-prml-4.13", "PRML figure 4.13", "A density of thresholds and its activation function",
			"f(a) is the area under p(θ) to the left of a, so the slope of f at a is p(a). The curve is steep where there are many thresholds.",
			PRML4x13, nil),
		entry("fig-prml-4.14", "PRML figure 4.14", "The Laplace approximation of a skewed density",
			"The Gaussian matches only the mode of p and the curvature of ln p there, so it misses the tail on the right. Its negative logarithm is the parabola that touches −ln p at the mode.",
			PRML4x14, nil),
		entry("fig-alpaydin-10.1", "Alpaydin figure 10.1", "A line that separates two classes",
			"All points of C₁ lie where g(x) > 0, all of C₂ where g(x) < 0. Enter a line of your own and count the points on its wrong side.",
			Alpaydin10x1, nil),
		entry("fig-alpaydin-10.2", "Alpaydin figure 10.2", "The geometry of a linear discriminant",
			"w is normal to the line and points to the side of C₁. g(x)/‖w‖ is the signed distance of x from the line, w0/‖w‖ the signed distance of the origin.",
			Alpaydin10x2, nil),
		entry("fig-alpaydin-10.3", "Alpaydin figure 10.3", "One hyperplane per class",
			"Each line has one class on its positive side and all others on its negative side. A point with no positive g, or with several, is rejected. The rule of the largest g rejects no point.",
			Alpaydin10x3, nil),
		entry("fig-alpaydin-10.4", "Alpaydin figure 10.4", "Pairwise separation where one against all fails",
			"No line separates C₁ from both other classes, so g₁ misses most of C₁. The lines for the pairs succeed: C₁ is the region where g₁₂ and g₁₃ are positive.",
			Alpaydin10x4, nil),
		entry("fig-alpaydin-10.5", "Alpaydin figure 10.5", "The logistic function",
			"The curve is 1/2 where wx + w0 = 0, and has slope w/4 there. A larger w makes the curve more like a step.",
			Alpaydin10x5, nil),
		entry("fig-alpaydin-10.6", "Alpaydin figure 10.6", "Gradient descent for two classes, stepped",
			"Every point contributes to the update in proportion to |r − y|. At the beginning all points contribute about equally; at the end only points near the line or on its wrong side do. The update of the algorithm is the sum of the contributions.",
			Alpaydin10x6, Alpaydin10x6Chart),
		entry("fig-alpaydin-10.7", "Alpaydin figure 10.7", "The line and the sigmoid while they learn",
			"Once the line crosses zero between the classes, only w still grows, and the sigmoid becomes more like a step.",
			Alpaydin10x7, Alpaydin10x7Chart),
		entry("fig-alpaydin-10.8", "Alpaydin figure 10.8", "Gradient descent for K classes, stepped",
			"Every class has the same update, with y the softmax of all g. Each line g_i = 0 moves between class i and the others. On the thick boundary the two largest g are equal.",
			Alpaydin10x8, Alpaydin10x8Chart),
		entry("fig-alpaydin-10.9", "Alpaydin figure 10.9", "Three classes by logistic discrimination",
			"On each thin line one g is zero; the thin lines are not boundaries. On the thick boundary the two largest g are equal, and every point has a class. All lines meet in one point, because the prior makes the g sum to 0.",
			Alpaydin10x9, nil),
		entry("fig-alpaydin-10.10", "Alpaydin figure 10.10", "The discriminants and the posteriors of three classes",
			"The discriminants are planes. The softmax keeps their order, pushes the largest towards 1 and the others towards 0; the three heights sum to 1 everywhere.",
			Alpaydin10x10, Alpaydin10x10Chart),
		entry("fig-gambosi-sigmoid", "Gambosi, slides on linear classification, the sigmoid",
			"The sigmoid and its symmetry",
			"A rotation by 180° about the point (0, 1/2) maps the curve onto itself: 1 − σ(a) = σ(−a).",
			GambosiSigmoid, nil),
		entry("fig-gambosi-gda", "Gambosi, slides on linear classification, Gaussian discriminant analysis",
			"Gaussian discriminant analysis: the posterior is a sigmoidal slope",
			"The posterior of a point depends only on its position along w, so all points lie on one sigmoid. The boundary lies nearer to the mean of the rarer class.",
			GambosiGDA, GambosiGDAChart),
		entry("fig-gambosi-qda", "Gambosi, slides on linear classification, quadratic discriminants",
			"Three Gaussians with three covariances: quadratic discriminants",
			"Every boundary is a conic: the quadratic terms of long, round and tilted clouds do not cancel.",
			GambosiQDA, nil),
		entry("fig-gambosi-newton", "Gambosi, slides on linear classification, the Newton–Raphson method",
			"Newton–Raphson, by tangents and for logistic regression",
			"Each step goes to the point where the tangent of the derivative is zero. Near the optimum every step of Newton's method doubles the number of correct digits; each step of gradient descent adds the same small number.",
			GambosiNewton, GambosiNewtonChart),
	}
}

// entry returns the catalogue entry of a figure. It derives all fields except the id and the texts
// from the functions `draw` and `chart` and from their options type. `chart` may be nil.
func entry[O any](id, source, title, lookFor string, draw func(O) (*show.Figure, error),
	chart func(O) (*show.Chart, error)) Entry {
	var zero O
	o := withDefaults(zero)
	options := reflect.TypeFor[O]().Name()
	call := func(kind string) string {
		return "figures." + strings.TrimSuffix(options, "Options") + kind + "(figures." + options + "{})"
	}
	e := Entry{ID: id, Title: title, Source: source, LookFor: lookFor, Parameters: o}
	if seed := reflect.ValueOf(o).FieldByName("Seed"); seed.IsValid() {
		n := seed.Uint()
		e.Seed = &n
	}
	e.Call, e.Draw = call(""), func() (*show.Figure, error) { return draw(zero) }
	if chart != nil {
		e.ChartCall, e.Chart = call("Chart"), func() (*show.Chart, error) { return chart(zero) }
	}
	return e
}

// Find returns the entry with the given id. The prefix "fig-" may be omitted, and capital letters and
// blanks around the id are allowed. For an unknown id, Find returns an error that suggests the nearest
// id.
func Find(id string) (Entry, error) {
	want := strings.ToLower(strings.TrimSpace(id))
	if !strings.HasPrefix(want, "fig-") {
		want = "fig-" + want
	}
	best, distance := "", 0
	for _, e := range All() {
		if e.ID == want {
			return e, nil
		}
		if d := editDistance(want, e.ID); best == "" || d < distance {
			best, distance = e.ID, d
		}
	}
	return Entry{}, fmt.Errorf("figures: no figure %q; did you mean %s?", id, best)
}

// editDistance returns the smallest number of bytes that must be changed, inserted or deleted to
// convert one word to the other.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
