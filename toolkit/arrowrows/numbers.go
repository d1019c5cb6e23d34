package arrowrows

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// numeric reports whether numbers reads columns of that type.
func numeric(t arrow.DataType) bool {
	id := t.ID()
	return arrow.IsInteger(id) || arrow.IsFloating(id) || id == arrow.BOOL
}

// numbers returns a function that reads a column of numbers, nil for another column.
func numbers(column arrow.Array) func(i int) float64 {
	switch c := column.(type) {
	case *array.Float64:
		return c.Value
	case *array.Float32:
		return of(c.Value)
	case *array.Float16:
		return func(i int) float64 { return float64(c.Value(i).Float32()) }
	case *array.Int64:
		return of(c.Value)
	case *array.Int32:
		return of(c.Value)
	case *array.Int16:
		return of(c.Value)
	case *array.Int8:
		return of(c.Value)
	case *array.Uint64:
		return of(c.Value)
	case *array.Uint32:
		return of(c.Value)
	case *array.Uint16:
		return of(c.Value)
	case *array.Uint8:
		return of(c.Value)
	case *array.Boolean:
		return func(i int) float64 {
			if c.Value(i) {
				return 1
			}
			return 0
		}
	}
	return nil
}

func of[T float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8](value func(i int) T) func(i int) float64 {
	return func(i int) float64 { return float64(value(i)) }
}
