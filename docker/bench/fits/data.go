package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

var processors = float64(runtime.NumCPU())

// A size contains the numbers of rows n, columns d and classes k.
type size struct{ n, d, k int }

var sizeForm = regexp.MustCompile(`^n([1-9][0-9]{0,8})_d([1-9][0-9]{0,3})_k([1-9][0-9]{0,2})$`)

func parse(name string) (s size, err error) {
	m := sizeForm.FindStringSubmatch(name)
	if m == nil {
		return s, fmt.Errorf("invalid size %q: want a form such as n1000_d10_k2", name)
	}
	for i, to := range []*int{&s.n, &s.d, &s.k} {
		*to, err = strconv.Atoi(m[i+1])
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s size) file(folder, kind string) string {
	return filepath.Join(folder, fmt.Sprintf("n%d_d%d_k%d.%s", s.n, s.d, s.k, kind))
}

// write draws n rows from k overlapping Gaussian clouds and stores the rows and labels in the
// folder. Because the clouds overlap, the likelihood of every model has a maximum. Each class has
// its own covariance, and the columns have different scales and offsets. One file contains the rows
// as float64, and the other contains the labels as int32, both little endian. If the file of labels
// already exists, write does nothing.
func (s size) write(folder string) (err error) {
	if _, there := os.Stat(s.file(folder, "y")); there == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(uint64(s.n), uint64(1000*s.d+s.k)))
	scale, shift := make([]float64, s.d), make([]float64, s.d)
	for j := range scale {
		scale[j], shift[j] = math.Exp(math.Log(0.5)+rng.Float64()*math.Log(6)), rng.NormFloat64()
	}
	far := 2.5 / math.Sqrt(2*float64(s.d))
	means, mix := make([][]float64, s.k), make([]*mat.Dense, s.k)
	for k := range means {
		means[k], mix[k] = make([]float64, s.d), mat.NewDense(s.d, s.d, nil)
		for j := range s.d {
			means[k][j] = far * rng.NormFloat64()
			for i := range s.d {
				mix[k].Set(j, i, 0.35*rng.NormFloat64()/math.Sqrt(float64(s.d)))
			}
			mix[k].Set(j, j, 1+mix[k].At(j, j))
		}
	}
	fx, err := os.Create(s.file(folder, "x"))
	if err != nil {
		return err
	}
	defer fx.Close()
	wx := bufio.NewWriterSize(fx, 1<<20)
	labels := make([]int32, s.n)
	z, row := make([]float64, s.d), make([]float64, s.d)
	for i := range labels {
		k := rng.IntN(s.k)
		labels[i] = int32(k)
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		mat.NewVecDense(s.d, row).MulVec(mix[k], mat.NewVecDense(s.d, z))
		for j := range row {
			row[j] = (row[j]+means[k][j])*scale[j] + shift[j]
		}
		if err := binary.Write(wx, binary.LittleEndian, row); err != nil {
			return err
		}
	}
	if err := errors.Join(wx.Flush(), fx.Close()); err != nil {
		return err
	}
	// Write the labels after the rows: if the file of labels exists, the file of rows is complete.
	fy, err := os.Create(s.file(folder, "y"))
	if err != nil {
		return err
	}
	return errors.Join(binary.Write(fy, binary.LittleEndian, labels), fy.Close())
}

// read returns the rows and labels that `write` has stored in the folder.
func (s size) read(folder string) (*mat.Dense, []int, error) {
	f, err := os.Open(s.file(folder, "x"))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	x := mat.NewDense(s.n, s.d, largePages(s.n*s.d))
	r := bufio.NewReaderSize(f, 1<<20)
	for i := range s.n {
		if err := binary.Read(r, binary.LittleEndian, x.RawRowView(i)); err != nil {
			return nil, nil, err
		}
	}
	text, err := os.ReadFile(s.file(folder, "y"))
	if err != nil {
		return nil, nil, err
	}
	labels := make([]int, s.n)
	for i := range labels {
		labels[i] = int(int32(binary.LittleEndian.Uint32(text[4*i:])))
	}
	return x, labels, nil
}
