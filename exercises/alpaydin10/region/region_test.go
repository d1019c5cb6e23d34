package region

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestContains(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		region  Region
		in, out [][2]float64
	}{
		{Everywhere(), [][2]float64{{0, 0}, {-1e6, 1e6}}, nil},
		{Nowhere(), nil, [][2]float64{{0, 0}}},
		{X1.Above(2), [][2]float64{{2.001, 0}}, [][2]float64{{2, 0}, {1, 5}}},
		{X2.AtLeast(2), [][2]float64{{0, 2}, {0, 3}}, [][2]float64{{5, 1.999}}},
		{X1.Below(0).Or(X2.AtMost(0)), [][2]float64{{-1, 1}, {1, 0}}, [][2]float64{{0, 1}}},
		{X1.Between(0, 1), [][2]float64{{0.5, 9}}, [][2]float64{{0, 0}, {1, 0}, {2, 0}}},
		{Linear(1, 2).Equals(3), [][2]float64{{1, 1}, {3, 0}}, [][2]float64{{1, 1.001}}},
		{X1.Lattice(math.Pi, 0), [][2]float64{{0, 7}, {math.Pi, 0}, {-1000 * math.Pi, 0}},
			[][2]float64{{1, 0}, {math.Pi / 2, 0}}},
		{X1.Lattice(-2, 1), [][2]float64{{1, 0}, {3, 0}, {-5, 0}}, [][2]float64{{0, 0}, {2, 0}}},
		{X1.Between(2, inf), [][2]float64{{3, 0}, {1e300, 0}}, [][2]float64{{2, 0}}},
		{X1.Above(-inf), [][2]float64{{-1e300, 0}}, nil},
		{X1.AtMost(-inf).Or(X2.Above(inf)).Or(X1.Equals(inf)), nil, [][2]float64{{-1e300, 1e300}, {0, 0}}},
		{Disc(1, 1, inf), [][2]float64{{1e300, 1}}, nil},
		{Disc(1, 1, 2), [][2]float64{{1, 1}, {2.9, 1}}, [][2]float64{{3, 1}, {4, 4}}},
		{Everywhere().Except(Disc(0, 0, 1)), [][2]float64{{1, 0}, {2, 0}}, [][2]float64{{0, 0}}},
		{X1.Above(0).And(X2.Above(0)), [][2]float64{{1, 1}}, [][2]float64{{1, -1}, {-1, 1}}},
		{Region{}, nil, [][2]float64{{0, 0}}},
		{Region{}.Or(Everywhere()), nil, [][2]float64{{0, 0}}}, // a union with the zero Region is invalid
	} {
		for _, x := range tc.in {
			if !tc.region.Contains(x[0], x[1]) {
				t.Errorf("“%s” does not contain the point %v, want it inside", tc.region, x)
			}
		}
		for _, x := range tc.out {
			if tc.region.Contains(x[0], x[1]) {
				t.Errorf("“%s” contains the point %v, want it outside", tc.region, x)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, r := range []Region{
		X1.Above(nan), Linear(inf, 1).Equals(2), Linear(0, 0).Above(1), Linear(nan, 1).Below(0), X1.Lattice(0, 1),
		X1.Lattice(nan, 0),
		X1.Lattice(1, inf), Disc(0, 0, -1), Disc(nan, 0, 1), Disc(inf, 0, 1), Everywhere().Except(X1.Above(nan)),
		X1.Above(nan).Or(Nowhere()),
	} {
		if r.fault == "" {
			t.Errorf("“%s” has no fault, want a fault for an invalid argument", r)
		}
	}
}

// TestStringStaysShort checks that the description of a region stays short if the region is built
// in a long loop. Otherwise the description, which each call copies, would grow with every call.
func TestStringStaysShort(t *testing.T) {
	r := Everywhere()
	for k := range 2000 {
		r = r.Except(X1.Equals(float64(k)))
	}
	if len(r.String()) > 1000 || len(r.edges) != 2000 {
		t.Errorf("the description has %d bytes and the region has %d edges, want at most 1000 bytes, and exactly 2000 edges", len(r.String()), len(r.edges))
	}
	if s := X2.Above(0).Except(X2.Equals(1)).String(); !strings.Contains(s, "x2 > 0") {
		t.Errorf("the region is described as %q, want a description that contains x2 > 0", s)
	}
}

// TestPointsBesideEdges checks that the method `points` returns points on an edge and on both sides
// of the edge.
func TestPointsBesideEdges(t *testing.T) {
	for _, e := range []edge{{a: 1, c: 1e4}, {b: 1}, {a: 1e-3, b: 2e3, c: 40}, {a: -3, b: 4, c: -5},
		{circle: true, a: -30, b: 4, c: 0.1}} {
		seen := map[int]int{}
		for _, x := range e.points(rand.New(rand.NewPCG(1001, 9))) {
			seen[e.sideOf(x[0], x[1])]++
		}
		if seen[-1] < 5 || seen[0] < 5 || seen[1] < 5 {
			t.Errorf("number of points on each side of the edge %+v: got %v, want at least 5 on each of the sides −1, 0 and 1", e, seen)
		}
	}
}

// TestDiffer checks that Differ finds a point that lies in only one of two regions. If several
// points qualify, Differ must return the point that its doc comment promises. For equal regions
// Differ must find no point.
func TestDiffer(t *testing.T) {
	strip := X1.Between(2.5, 2.6)
	for _, tt := range []struct {
		a, b Region
		want [2]float64 // NaN means that Differ may return any point
	}{
		{X1.Above(0), X1.AtLeast(0), [2]float64{0, 0}},
		{X1.Above(0), X1.Above(math.Sqrt2), [2]float64{1, 0}},
		{X1.Above(math.Pi), X1.AtLeast(math.Pi), [2]float64{math.Pi, 0}},
		{Everywhere(), Everywhere().Except(X1.Lattice(math.Pi, 1)), [2]float64{1, 0}},
		{strip, Nowhere(), [2]float64{math.NaN()}},
		{Disc(9, 9, 1), Disc(9, 9, 1).Except(Disc(9, 9, 0.1)), [2]float64{math.NaN()}},
		{X1.Lattice(math.Pi, 0), X1.Lattice(3.1416, 0).Except(X1.Equals(0)).Or(X1.Equals(0)), [2]float64{math.NaN()}},
	} {
		x, differ := Differ(rand.New(rand.NewPCG(1, 1)), tt.a, tt.b)
		if !differ || tt.a.Contains(x[0], x[1]) == tt.b.Contains(x[0], x[1]) || !math.IsNaN(tt.want[0]) &&
			x != tt.want {
			t.Errorf("Differ for “%s” and “%s” returned %v, %v; want %v (NaN: any point in exactly one region), true", tt.a, tt.b, x, differ, tt.want)
		}
	}
	if x, differ := Differ(rand.New(rand.NewPCG(1, 1)), strip, Linear(-2, 0).Below(-5).And(X1.Below(2.6))); differ {
		t.Errorf("Differ found a difference between equal strips at %v, want no difference", x)
	}
}

func ExampleRegion() {
	r := X2.Above(0).Except(X1.Lattice(2, 1))
	fmt.Println(r)
	fmt.Println(r.Contains(0, 5), r.Contains(-3, 5), r.Contains(0, 0))
	// Output:
	// (x2 > 0) except where (x1 = 1 + k·2)
	// true false false
}

// TestEncode checks that Decode returns the region that Encode has encoded.
func TestEncode(t *testing.T) {
	r := X1.Above(1).And(X2.AtMost(2)).Or(Disc(0, 0, 3).Except(Linear(1, -2).Lattice(2, 0.5))).Or(X2.Between(-1,
		1)).Or(X1.Below(math.Inf(-1)))
	for _, r := range []Region{r, {}, Everywhere(), Nowhere(), Disc(1, 2, math.Inf(1)), X1.Equals(math.NaN()),
		Nowhere().Or(Region{}), Linear(0, 0).AtLeast(1)} {
		back, err := Region{}.Decode(r.Encode())
		if err != nil {
			t.Fatal(err)
		}
		same := back.(Region)
		if same.String() != r.String() || same.Fault() != r.Fault() || same.IsZero() != r.IsZero() ||
			same.Conditions() != r.Conditions() {
			t.Errorf("got the decoded region “%s” with the fault %q, %d conditions and IsZero() = %t, want “%s” with the fault %q, %d conditions and IsZero() = %t",
				same, same.Fault(), same.Conditions(), same.IsZero(), r, r.Fault(), r.Conditions(), r.IsZero())
		}
		for x1 := -3.; x1 <= 3; x1 += 0.5 {
			for x2 := -3.; x2 <= 3; x2 += 0.5 {
				if same.Contains(x1, x2) != r.Contains(x1, x2) {
					t.Errorf("the decoded region %v differs from the region %v at (%g, %g), want equal regions", same, r, x1, x2)
				}
			}
		}
	}
	for _, bad := range [][]Step{{{Op: "and"}}, {{Op: "disc"}}, {{Op: "nowhere"}, {Op: "nowhere"}}, {{Op: "draw"}}} {
		if _, err := (Region{}).Decode(bad); err == nil {
			t.Errorf("Decode accepted the invalid code %v, want an error", bad)
		}
	}
}
