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
	Source  string // the figure that it reproduces
	LookFor string // what to look for, one or two sentences
	Call    string // Go code that draws it
	// Parameters are the options with their defaults filled in; nil without options.
	Parameters any
	Seed       *uint64 // seed of its random data; nil without random data
	// Draw draws the printed form.
	Draw func() (*show.Figure, error)
	// Chart makes the interactive form, and ChartCall is the Go code for it; nil and
	// "" for a figure with only a printed form.
	Chart     func() (*show.Chart, error)
	ChartCall string
}

// All returns the catalogue: PRML, Alpaydin, Gambosi, each in the order of the
// source.
func All() []Entry {
	return []Entry{
		entry("fig-prml-4.1", "PRML figure 4.1", "The geometry of a linear discriminant",
			"w is normal to the line y(x) = 0; w0 fixes its place along w, at −w0/‖w‖ from the origin. A point lies at the signed distance y(x)/‖w‖ from the line.",
			PRML4x1, PRML4x1Chart),
		entry("fig-prml-4.2", "PRML figure 4.2", "Two-class machines leave regions without an answer",
			"Three ways to make a three-class machine of lines. With K − 1 lines against the rest two classes may claim a point; with K lines there are also points that none claims; with a line for each pair the votes may tie, in the triangle in the middle.",
			PRML4x2, nil),
		entry("fig-prml-4.3", "PRML figure 4.3", "The regions of a linear machine are convex",
			"The class is the largest of K linear functions. Between any two points of a region all points belong to it: there are no dents, no holes and no second pieces.",
			PRML4x3, nil),
		entry("fig-prml-4.4", "PRML figure 4.4", "Outliers pull least squares, not logistic regression",
			"The added points lie deep on their own side. Least squares still turns towards them, because it punishes being too right; the logistic boundary stays.",
			PRML4x4, PRML4x4Chart),
		entry("fig-prml-4.5", "PRML figure 4.5", "Least squares masks the class in the middle",
			"Hardly any region is left for the class in the middle: a linear function that should be 1 there and 0 on both sides is about 1/3 everywhere. Logistic regression divides the same points well.",
			PRML4x5, nil),
		entry("fig-prml-4.6", "PRML figure 4.6", "Projection on the line of the means, and on Fisher's",
			"Along the line of the means the histograms overlap, because the classes are long in a direction close to it. Fisher's direction brings the means closer together and the classes apart: it is narrow there.",
			PRML4x6, PRML4x6Chart),
		entry("fig-prml-4.7", "PRML figure 4.7", "The perceptron corrects one mistake at a time",
			"The point in the square is on the wrong side. Its φ, times the rate and its sign ±1, is added to w (coloured arrow), and the rate times its sign to the bias: the boundary turns and moves so that the point gets nearer to its own side. A correction may cost other points; the last panel has no mistake.",
			PRML4x7, PRML4x7Chart),
		entry("fig-prml-4.8", "PRML figure 4.8", "A perceptron with 20 × 20 photocells learns to read",
			"Units wired at random to the cells are features enough: the perceptron learns to tell two printed characters at places it has not seen. Sent back along the wires, its weights are light where ink speaks for the first and dark where it speaks for the second, smeared by the shifts. The curve jumps because every correction turns the whole machine. L and T are an easy pair; O and X are learnt far less well.",
			PRML4x8, nil),
		entry("fig-prml-4.9", "PRML figure 4.9", "The logistic sigmoid and the scaled probit function",
			"With λ² = π/8 both curves have slope 1/4 at 0. They never differ by more than 0.018; the probit curve reaches 0 and 1 sooner.",
			PRML4x9, nil),
		entry("fig-prml-4.10", "PRML figure 4.10", "Two Gaussian densities and the posterior they give",
			"The bells have one shape, so their quadratic terms cancel: the posterior is a sigmoid slope, straight along every contour.",
			PRML4x10, PRML4x10Chart),
		entry("fig-prml-4.11", "PRML figure 4.11", "Three Gaussians, two with a shared covariance",
			"C1 and C2 have one covariance, and a straight boundary. C3 has its own: its boundaries are conics. The colours mix where the posterior is undecided.",
			PRML4x11, nil),
		entry("fig-prml-4.12", "PRML figure 4.12", "Basis functions make a curved boundary straight",
			"No line parts the classes in the plane of x, but one does in the plane of φ. Seen in x, the same line is a curve around the centres. Move the centres.",
			PRML4x12, PRML4x12Chart),
		entry("fig-prml-4.13", "PRML figure 4.13", "A density of thresholds and its activation function",
			"f(a) is the area under p(θ) to the left of a, so its slope at a is the height of p there: steep where thresholds are many.",
			PRML4x13, nil),
		entry("fig-prml-4.14", "PRML figure 4.14", "The Laplace approximation of a skewed density",
			"The Gaussian has the mode of p and its curvature there, and nothing else: it misses the tail on the right. Its negative logarithm is the parabola that touches.",
			PRML4x14, nil),
		entry("fig-alpaydin-10.1", "Alpaydin figure 10.1", "A line that separates two classes",
			"All points of C₁ lie where g(x) > 0, all of C₂ where g(x) < 0. Enter a line of your own and count the points on its wrong side.",
			Alpaydin10x1, nil),
		entry("fig-alpaydin-10.2", "Alpaydin figure 10.2", "The geometry of a linear discriminant",
			"w is normal to the line and points to the side of C₁. g(x)/‖w‖ is the signed distance of x from the line, w0/‖w‖ the signed distance of the origin.",
			Alpaydin10x2, nil),
		entry("fig-alpaydin-10.3", "Alpaydin figure 10.3", "One hyperplane per class",
			"Each line has one class on its positive side and all others on its negative side. Where no g or several are positive the point is rejected, until the largest g decides.",
			Alpaydin10x3, nil),
		entry("fig-alpaydin-10.4", "Alpaydin figure 10.4", "Pairwise separation where one against all fails",
			"No line has C₁ on one side and both others on the other: its g₁ misses most of it. Lines for the pairs succeed: C₁ is where g₁₂ and g₁₃ are positive.",
			Alpaydin10x4, nil),
		entry("fig-alpaydin-10.5", "Alpaydin figure 10.5", "The logistic function",
			"The curve is 1/2 where wx + w0 = 0 and rises there with slope w/4; a larger w turns it into a step.",
			Alpaydin10x5, nil),
		entry("fig-alpaydin-10.6", "Alpaydin figure 10.6", "Gradient descent for two classes, stepped",
			"Every point pulls the line with the force |r − y|. In the beginning all pull alike; in the end only those near the line and on its wrong side. The update of the algorithm is that sum of pulls.",
			Alpaydin10x6, Alpaydin10x6Chart),
		entry("fig-alpaydin-10.7", "Alpaydin figure 10.7", "The line and the sigmoid while they learn",
			"Once the line crosses zero between the classes, only w grows, and the sigmoid hardens into a step.",
			Alpaydin10x7, Alpaydin10x7Chart),
		entry("fig-alpaydin-10.8", "Alpaydin figure 10.8", "Gradient descent for K classes, stepped",
			"The same update for every class, with y the softmax of all g. Each g_i = 0 moves between its class and the others; the thick boundary is where the two largest agree.",
			Alpaydin10x8, Alpaydin10x8Chart),
		entry("fig-alpaydin-10.9", "Alpaydin figure 10.9", "Three classes by logistic discrimination",
			"The thin lines, each where one g is zero, bound nothing. The boundary is thick: there the two largest g agree, and no point is left without a class. All meet in one point, because the prior makes the g sum to 0.",
			Alpaydin10x9, nil),
		entry("fig-alpaydin-10.10", "Alpaydin figure 10.10", "The discriminants and the posteriors of three classes",
			"The discriminants are planes. The softmax keeps their order, pushes the largest towards 1 and the others towards 0; the three heights sum to 1 everywhere.",
			Alpaydin10x10, Alpaydin10x10Chart),
		entry("fig-gambosi-sigmoid", "Gambosi, slides on linear classification, the sigmoid",
			"The sigmoid and its symmetry",
			"Half a turn about the point (0, 1/2) maps the curve onto itself: 1 − σ(a) = σ(−a).",
			GambosiSigmoid, nil),
		entry("fig-gambosi-gda", "Gambosi, slides on linear classification, Gaussian discriminant analysis",
			"Gaussian discriminant analysis: the posterior is a sigmoidal slope",
			"Seen along w, across the slope, every point of the plane has its place on one sigmoid. The boundary lies nearer to the mean of the rarer class.",
			GambosiGDA, GambosiGDAChart),
		entry("fig-gambosi-qda", "Gambosi, slides on linear classification, quadratic discriminants",
			"Three Gaussians with three covariances: quadratic discriminants",
			"Every boundary is a conic: the quadratic terms of long, round and tilted clouds do not cancel.",
			GambosiQDA, nil),
		entry("fig-gambosi-newton", "Gambosi, slides on linear classification, the Newton–Raphson method",
			"Newton–Raphson, by tangents and for logistic regression",
			"Each step goes to where the tangent of the derivative is zero. Near the optimum every step doubles the number of right digits; gradient descent adds the same few each time.",
			GambosiNewton, GambosiNewtonChart),
	}
}

// entry returns the entry of a figure. It derives everything but the texts from draw and
// chart, which are named after their options; chart may be nil.
func entry[O any](id, source, title, lookFor string, draw func(O) (*show.Figure, error),
	chart func(O) (*show.Chart, error)) Entry {
	var zero O
	o := filled(zero)
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

// Find returns the entry with the given id; "fig-" may be left out. An unknown id is
// an error that suggests the nearest one.
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

// editDistance returns the number of letters to change, insert or delete to turn a into b.
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
