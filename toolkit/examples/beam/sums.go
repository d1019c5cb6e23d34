package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A Row is an input together with the number of its class.
type Row struct {
	X     []float64
	Label int
}

func init() {
	beam.RegisterType(reflect.TypeFor[Row]())
	beam.RegisterCoder(reflect.TypeFor[*classify.SufficientMoments](), encodeMoments, decodeMoments)
	beam.RegisterCoder(reflect.TypeFor[*classify.LogisticSums](), encodeSums, decodeSums)
	register.Combiner2[*classify.SufficientMoments, Row](&momentsFn{})
	register.Combiner2[*classify.LogisticSums, Row](&logisticFn{})
	register.DoFn1x1[*classify.SufficientMoments, error](&keepMoments{})
	register.DoFn1x1[*classify.LogisticSums, error](&keepSums{})
}

// encodeMoments encodes the moments as JSON, so that Beam can send them from one worker to another.
func encodeMoments(s *classify.SufficientMoments) ([]byte, error) { return encode(s) }

func decodeMoments(b []byte) (*classify.SufficientMoments, error) {
	return decode[*classify.SufficientMoments](b)
}

func encodeSums(s *classify.LogisticSums) ([]byte, error) { return encode(s) }

func decodeSums(b []byte) (*classify.LogisticSums, error) { return decode[*classify.LogisticSums](b) }

func encode[M any](s M) ([]byte, error) { return json.Marshal(classify.Saved[M]{Model: s}) }

func decode[M any](b []byte) (M, error) {
	var s classify.Saved[M]
	err := json.Unmarshal(b, &s)
	return s.Model, err
}

// momentsFn is a Beam combiner that computes the moments of the classes from rows.
type momentsFn struct{ Columns, Classes int }

func (f *momentsFn) CreateAccumulator() (*classify.SufficientMoments, error) {
	return classify.NewSufficientMoments(f.Columns, f.Classes)
}

func (f *momentsFn) AddInput(s *classify.SufficientMoments, r Row) (*classify.SufficientMoments, error) {
	return s, s.Add(r.X, r.Label)
}

func (f *momentsFn) MergeAccumulators(s, o *classify.SufficientMoments) (*classify.SufficientMoments, error) {
	return s, s.Merge(o)
}

// logisticFn is a Beam combiner that computes the sums over the rows for one Newton step that
// starts at the weights W. Class 0 is C₁.
type logisticFn struct{ W []float64 }

func (f *logisticFn) CreateAccumulator() (*classify.LogisticSums, error) {
	return classify.NewLogisticSums(f.W)
}

func (f *logisticFn) AddInput(s *classify.LogisticSums, r Row) (*classify.LogisticSums, error) {
	return s, s.Add(r.X, float64(1-r.Label))
}

func (f *logisticFn) MergeAccumulators(s, o *classify.LogisticSums) (*classify.LogisticSums, error) {
	return s, s.Merge(o)
}

// keepMoments and keepSums write the only element of a collection to a file, which the program then
// reads. If the pipeline runs on several machines, all of them must have access to this file.
type keepMoments struct{ Path string }

func (k *keepMoments) ProcessElement(s *classify.SufficientMoments) error { return keep(k.Path, s) }

type keepSums struct{ Path string }

func (k *keepSums) ProcessElement(s *classify.LogisticSums) error { return keep(k.Path, s) }

func keep[M any](path string, s M) error {
	b, err := encode(s)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

// runPass runs a pipeline that combines the rows with fn, and returns the combined value. The
// argument `kept` is a function: kept(path) returns a DoFn that writes the combined value to the file
// at path. runPass then reads this file.
func runPass[M any](ctx context.Context, rows []Row, fn any, kept func(path string) any) (result M, err error) {
	dir, err := os.MkdirTemp("", "beam")
	if err != nil {
		return result, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sums.json")
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, kept(path), beam.Combine(s, fn, beam.Reshuffle(s, beam.CreateList(s, rows))))
	if _, err := prism.Execute(ctx, p); err != nil {
		return result, fmt.Errorf("the pipeline failed: %w", err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return result, fmt.Errorf("the pipeline wrote no result: %w", err)
	}
	return decode[M](b)
}

// Moments computes, in one pass, the moments of rows with the given numbers of columns and classes. It
// returns an error if the pipeline fails.
func Moments(ctx context.Context, rows []Row, columns, classes int) (*classify.SufficientMoments, error) {
	return runPass[*classify.SufficientMoments](ctx, rows, &momentsFn{Columns: columns, Classes: classes},
		func(path string) any { return &keepMoments{Path: path} })
}

// Logistic fits logistic regression to rows of two classes, the first being C₁. A nil prior means
// maximum likelihood. Logistic returns the weights, bias first, and the number of passes. It
// returns an error if a pipeline or a Newton step fails, or if Newton's method does not converge, for
// example because the classes are separable.
func Logistic(ctx context.Context, rows []Row, columns int, prior classify.Prior) (w []float64, passes int, err error) {
	const most = 50
	w = make([]float64, columns+1)
	for passes = 1; passes <= most; passes++ {
		sums, err := runPass[*classify.LogisticSums](ctx, rows, &logisticFn{W: w},
			func(path string) any { return &keepSums{Path: path} })
		if err != nil {
			return nil, passes, err
		}
		next, length, err := sums.Step(prior)
		if err != nil {
			return nil, passes, err
		}
		moved := floats.Distance(next, w, 2) // change in the weights, which stays large if the classes are separable
		w = next
		if length <= 1e-9 && moved <= 1e-6*(1+floats.Norm(w, 2)) {
			return w, passes, nil
		}
	}
	return nil, most, errors.New("Newton's method does not converge: if the classes are separable, the likelihood has no maximum; set a prior")
}
