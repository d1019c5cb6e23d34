package datasets

import (
	"encoding/json"
	"slices"
	"testing"
)

// The colour of a class goes with its rows through everything that makes a data set of
// a data set.
func TestHuesBelongToClasses(t *testing.T) {
	iris := Iris()
	two := must(iris.Class("versicolor", "virginica"))(t)
	training, test, err := two.Split(0.5, 1)
	standard, _, failed := two.Standardize()
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	for name, c := range map[string]struct {
		d    *Dataset
		want []int
	}{
		"whole":        {iris, nil},
		"Class":        {two, []int{1, 2}},
		"Class turned": {must(two.Class("virginica", "versicolor"))(t), []int{2, 1}},
		"Class again":  {must(two.Class("virginica"))(t), []int{2}},
		"same order":   {must(iris.Class("setosa", "versicolor"))(t), nil},
		"Columns":      {must(two.Columns("petal_length", "petal_width"))(t), []int{1, 2}},
		"Rows":         {must(two.Rows(3, 1))(t), []int{1, 2}},
		"Append":       {must(two.Append([]float64{1, 2, 3, 4}, "virginica"))(t), []int{1, 2}},
		"Split":        {training, []int{1, 2}},
		"test":         {test, []int{1, 2}},
		"Shuffle":      {must(two.Shuffle(1))(t), []int{1, 2}},
		"Standardize":  {standard, []int{1, 2}},
		"renamed":      {must(two.Relabel(map[string]string{"virginica": "v"}))(t), []int{1, 2}},
		"joined":       {must(iris.Relabel(map[string]string{"setosa": "other", "versicolor": "other"}))(t), []int{0, 2}},
	} {
		if !slices.Equal(c.d.Hues, c.want) {
			t.Errorf("%s: hues %v, want %v", name, c.d.Hues, c.want)
		}
	}
	if two.Hue(1) != 2 || iris.Hue(1) != 1 {
		t.Errorf("virginica has hue %d, versicolor %d", two.Hue(1), iris.Hue(1))
	}
}

func TestHuesAreSaved(t *testing.T) {
	two := must(Iris().Class("versicolor", "virginica"))(t)
	var back Dataset
	if err := json.Unmarshal(must(json.Marshal(two))(t), &back); err != nil || !slices.Equal(back.Hues, two.Hues) {
		t.Errorf("hues %v came back as %v, %v", two.Hues, back.Hues, err)
	}
	if err := json.Unmarshal(must(json.Marshal(Iris()))(t), &back); err != nil || back.Hues != nil {
		t.Errorf("hues came from nowhere: %v, %v", back.Hues, err)
	}
}

func TestCheckHues(t *testing.T) {
	for _, hues := range [][]int{{0}, {0, 1, -2}} {
		d := Iris()
		d.Hues = hues
		if err := d.Check(); err == nil {
			t.Errorf("hues %v of three classes pass", hues)
		}
	}
}
