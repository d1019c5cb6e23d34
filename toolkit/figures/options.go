package figures

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// filled returns options with zeros replaced by the defaults in their tags. It ends the figure if
// an option is outside its range:
//
//	Rate float64 `default:"0.3" range:"0..1e6"`
//
// A default is JSON. Some defaults depend on other options, which a tag cannot express. The options
// type then has a method filled that sets these defaults.
func filled[O any](o O) O {
	if own, ok := any(o).(interface{ filled() O }); ok {
		o = own.filled()
	}
	fill(reflect.ValueOf(&o).Elem())
	return o
}

func fill(options reflect.Value) {
	for i := range options.NumField() {
		f, field := options.Field(i), options.Type().Field(i)
		if field.Anonymous {
			fill(f)
			continue
		}
		if text, ok := field.Tag.Lookup("default"); ok && f.IsZero() {
			check(json.Unmarshal([]byte(text), f.Addr().Interface()))
		}
		if text, ok := field.Tag.Lookup("range"); ok {
			inside(field.Name, f, text)
		}
	}
}

// inside ends the figure if the number f is NaN or outside the range "from..to".
func inside(name string, f reflect.Value, text string) {
	from, to, _ := strings.Cut(text, "..")
	v := 0.0
	if f.CanInt() {
		v = float64(f.Int())
	} else {
		v = f.Float()
	}
	need(v >= try(strconv.ParseFloat(from, 64)) && v <= try(strconv.ParseFloat(to, 64)),
		"%s is %v; it must lie between %s and %s", name, f, minus(from), minus(to))
}
