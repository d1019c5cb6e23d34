// Fits is the Go part of `make bench`. It fits one model to data of one size. For each line on
// standard input it measures one of these: the time of a fit or of a prediction, the memory of a
// fit or of a prediction, or the speed limits of the machine. A prediction uses the model of the
// latest fit, so the first line about a fit must come before all lines about predictions.
//
//	fits data FOLDER SIZE…    make the data that Go, Python and R read
//	fits FOLDER FIT SIZE      print {"ready":true}; then, for each line "fit", "predict", "limits",
//	                          "memory fit" or "memory predict", print a line of JSON
//
// A size such as n1000_d10_k2 gives the numbers of rows, columns and classes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// inputs contains the data to which a model is fitted.
type inputs struct {
	x      *mat.Dense
	labels []int
	t      []float64 // targets for two-class models, as returned by oneAgainstRest
	k      int
}

// A fit trains a model and returns a function that computes the model's predictions (posterior
// probabilities, scores or classes) for the rows of in.x.
type fit func(in inputs) (predict func() error, err error)

// oneAgainstRest returns targets for the toolkit's two-class models: 1 for rows of class 0, and 0
// for all other rows.
func oneAgainstRest(labels []int) []float64 {
	t := make([]float64, len(labels))
	for i, l := range labels {
		if l == 0 {
			t[i] = 1
		}
	}
	return t
}

// stepTolerance returns an upper limit for the length λ = √(sᵀHs) of the last Newton step s, where
// H is the Hessian of the error E. With this limit, the absolute value of every entry of the
// gradient, divided by the number of rows N, is at most 1e-8. The Python and R libraries in the
// benchmark stop at the same accuracy. The limit follows from |∂E/∂w_j| ≤ λ√H_jj, because √(H_jj/N)
// is below 4 for the columns of the benchmark.
func stepTolerance(x mat.Matrix) float64 {
	n, _ := x.Dims()
	return 1e-8 / 4 * math.Sqrt(float64(n))
}

func proba[M classify.Prober](x *mat.Dense, m M, err error) (func() error, error) {
	return func() error { _, err := m.Posterior(x); return err }, err
}

var fits = map[string]fit{
	"logistic": func(in inputs) (func() error, error) {
		m, err := classify.FitLogistic(in.x, in.t, classify.LogisticOptions{Tolerance: stepTolerance(in.x)})
		return proba(in.x, m, err)
	},
	"logistic-ridge": func(in inputs) (func() error, error) {
		prior := classify.Isotropic{Alpha: 1, FreeBias: true}
		m, err := classify.FitLogistic(in.x, in.t, classify.LogisticOptions{Prior: prior, Tolerance: stepTolerance(in.x)})
		return proba(in.x, m, err)
	},
	"probit": func(in inputs) (func() error, error) {
		m, err := classify.FitProbit(in.x, in.t, classify.ProbitOptions{Tolerance: stepTolerance(in.x)})
		return proba(in.x, m, err)
	},
	"laplace": func(in inputs) (func() error, error) {
		m, err := classify.FitBayesLogistic(in.x, in.t,
			classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}, Tolerance: stepTolerance(in.x)})
		return proba(in.x, m, err)
	},
	"softmax": func(in inputs) (func() error, error) {
		m, err := classify.FitSoftmax(in.x, in.labels, in.k, classify.SoftmaxOptions{Tolerance: stepTolerance(in.x)})
		return proba(in.x, m, err)
	},
	"lda": func(in inputs) (func() error, error) {
		m, err := classify.FitLDA(in.x, in.labels, in.k, classify.LDAOptions{})
		return proba(in.x, m, err)
	},
	"qda": func(in inputs) (func() error, error) {
		m, err := classify.FitQDA(in.x, in.labels, in.k, classify.QDAOptions{})
		return proba(in.x, m, err)
	},
	"naive-bayes": func(in inputs) (func() error, error) {
		m, err := classify.FitNaiveBayesGaussian(in.x, in.labels, in.k, classify.NaiveBayesGaussianOptions{})
		return proba(in.x, m, err)
	},
	"least-squares": func(in inputs) (func() error, error) {
		m, err := classify.FitLeastSquares(in.x, in.labels, in.k, classify.LeastSquaresOptions{})
		return func() error { _, err := m.Scores(in.x); return err }, err
	},
	"perceptron": func(in inputs) (func() error, error) {
		m, err := classify.FitPerceptron(in.x, in.t, classify.PerceptronOptions{MaxEpochs: 10, KeepUpdates: -1})
		return func() error { _, err := m.Predict(in.x); return err }, err
	},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("fits: ")
	if len(os.Args) > 3 && os.Args[1] == "data" {
		for _, name := range os.Args[3:] {
			s, err := parse(name)
			if err == nil {
				err = s.write(os.Args[2])
			}
			if err != nil {
				log.Fatal(err)
			}
		}
		return
	}
	if len(os.Args) != 4 || fits[os.Args[2]] == nil {
		log.Fatal("usage: fits data FOLDER SIZE… | fits FOLDER FIT SIZE, where FIT is a key of the map fits in docker/bench/fits/main.go")
	}
	s, err := parse(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	if err := serve(fits[os.Args[2]], s, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// timeAnswer is the line of JSON that reports the time of an operation.
type timeAnswer struct {
	Seconds float64 `json:"seconds"` // median time of one run
	Others  float64 `json:"others"`  // share of the machine's processor time that other programs used during the runs
	Error   string  `json:"error,omitempty"`
}

// shortestTiming is the least time, in seconds, for which medianTime repeats an operation.
const shortestTiming = 0.1

func serve(f fit, s size, folder string) error {
	x, labels, err := s.read(folder)
	if err != nil {
		return err
	}
	data := inputs{x, labels, oneAgainstRest(labels), s.k}
	// The garbage collector runs when the heap has doubled in size. If the rows are stored outside
	// the heap, the heap is small, and the collector runs too often. Therefore allocate an array of
	// the same size as the rows on the heap. The program never writes to this array, so the array
	// occupies no physical memory.
	heap := make([]byte, 8*s.n*s.d)
	defer runtime.KeepAlive(heap)
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]any{"ready": true}); err != nil {
		return err
	}
	var predict func() error
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		what, weigh := strings.CutPrefix(strings.TrimSpace(in.Text()), "memory ")
		do := func() (err error) { predict, err = f(data); return err }
		if what == "predict" {
			do = predict
		}
		var answer any
		if what == "limits" {
			answer = measureLimits(x)
		} else if weigh {
			if what == "fit" {
				predict = nil // drop the model of the previous fit, so that the garbage collector can free its memory
			}
			answer = peakMemory(do)
		} else {
			answer = medianTime(do)
		}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
	return in.Err()
}

func medianTime(do func() error) timeAnswer {
	began, busy, own := time.Now(), busySeconds(), ownSeconds()
	times := []float64{}
	for time.Since(began).Seconds() < shortestTiming || len(times) == 0 {
		one := time.Now()
		if err := do(); err != nil {
			return timeAnswer{Error: err.Error()}
		}
		times = append(times, time.Since(one).Seconds())
	}
	wall := time.Since(began).Seconds()
	slices.Sort(times)
	return timeAnswer{
		Seconds: times[len(times)/2],
		Others:  max(0, (busySeconds()-busy)-(ownSeconds()-own)) / (wall * processors),
	}
}

// busySeconds returns the sum of the times, in seconds, for which the processors have been busy
// since the machine started. If /proc/stat cannot be read, it returns 0.
func busySeconds() float64 {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	var user, nice, system, idle, wait, irq, soft, steal float64
	fmt.Sscanf(string(text), "cpu %g %g %g %g %g %g %g %g", &user, &nice, &system, &idle, &wait, &irq, &soft, &steal) //nolint:errcheck // after an error, the remaining values stay 0
	return (user + nice + system + irq + soft + steal) / 100
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u
}

func ownSeconds() float64 {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// memoryAnswer is the line of JSON that reports the memory of an operation.
type memoryAnswer struct {
	Extra float64 `json:"extra_mb"` // peak minus memory at the start, accurate to about 2 MB
	Error string  `json:"error,omitempty"`
}

// peakMemory runs a garbage collection that returns free memory to the system. It then calls the
// function `do` once. It returns the peak of the resident memory during this call minus the
// resident memory before it.
func peakMemory(do func() error) (w memoryAnswer) {
	debug.FreeOSMemory()
	err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // 5 resets the peak of the resident memory
	if err != nil {
		return memoryAnswer{Error: err.Error()}
	}
	before, err := memoryLine("VmRSS")
	if err == nil {
		err = do()
	}
	most := before
	if err == nil {
		most, err = memoryLine("VmHWM")
	}
	if err != nil {
		return memoryAnswer{Error: err.Error()}
	}
	return memoryAnswer{Extra: most - before}
}

// memoryLine returns the value, in MB, of a line of /proc/self/status, such as VmRSS.
func memoryLine(line string) (float64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(`(?m)^` + line + `:\s*(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("/proc/self/status has no line %s", line)
	}
	kB, err := strconv.ParseFloat(string(m[1]), 64)
	return kB / 1024, err
}
