package remote

import (
	"bytes"
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// writeChanges writes, for each argument, whether the called function has changed it. If so, it
// also writes the new contents.
func (w *writer) writeChanges(in []reflect.Value, before [][]byte) {
	for i, v := range in {
		now := &writer{c: w.c}
		if holdsMemory(v.Type()) {
			now.value(v)
		}
		changed := holdsMemory(v.Type()) && !bytes.Equal(now.b, before[i])
		w.bool(changed)
		if changed {
			w.b = append(w.b, now.b...)
		}
	}
}

// readChanges reads the output of writeChanges and copies the new contents into the caller's
// arguments.
func (c *Conn) readChanges(r *reader, in []reflect.Value) {
	for _, v := range in {
		if r.bool() {
			copyInto(v, r.value(v.Type()))
		}
	}
}

// writeMoved looks for results of earlier calls that have changed since they were sent. For each such
// result it writes true, the serial number of the call, the index of the result and its new contents.
// At the end it writes false.
func (w *writer) writeMoved(list []callResults) {
	for i := range list {
		for k, v := range list[i].results {
			if !holdsMemory(v.Type()) || list[i].texts[k] == nil {
				continue
			}
			now := &writer{c: w.c}
			now.value(v)
			if !bytes.Equal(now.b, list[i].texts[k]) {
				list[i].texts[k] = now.b
				w.bool(true)
				w.uint(list[i].serial)
				w.uint(uint64(k))
				w.b = append(w.b, now.b...)
			}
		}
	}
	w.bool(false)
}

// moved reads the output of writeMoved and copies the new contents into the earlier results. It
// stops at a result that this end no longer remembers.
func (c *Conn) moved(r *reader) {
	for r.bool() {
		serial, k := r.uint(), r.uint()
		c.mu.Lock()
		var v reflect.Value
		for _, g := range c.got {
			if g.serial == serial && k < uint64(len(g.results)) {
				v = g.results[k]
			}
		}
		c.mu.Unlock()
		// This end no longer remembers the result, and without the type of the result the remaining
		// bytes cannot be decoded.
		if !v.IsValid() {
			return
		}
		copyInto(v, r.value(v.Type()))
	}
}

// writeShared reports whether the result v shares memory with an argument. If v shares memory,
// writeShared writes three numbers. The first is the number of the argument, counted from 1. For a
// slice, the others are the index of the first shared entry and the number of shared entries. For a
// matrix, both are 0. On the other end, the result then shares memory with the caller's argument. If
// v shares no memory, writeShared writes 0. If holdsMemory returns false for the type of v,
// writeShared writes nothing.
func (w *writer) writeShared(v reflect.Value, in []reflect.Value) bool {
	if !holdsMemory(v.Type()) {
		return false
	}
	for i, a := range in {
		from, n, ok := isPart(v, a)
		if ok {
			w.dims(i+1, from, n)
			return true
		}
	}
	w.uint(0)
	return false
}

// readShared reads the output of writeShared. It returns the shared part of the argument. If the
// result has its own memory, or after an error, readShared returns the zero reflect.Value.
func (r *reader) readShared(t reflect.Type, in []reflect.Value) (v reflect.Value) {
	if !holdsMemory(t) {
		return v
	}
	i := r.uint()
	if i == 0 || r.err != nil {
		return v
	}
	from, n := r.uint(), r.uint()
	if i > uint64(len(in)) || in[i-1].Type() != t {
		r.fail(errShort)
		return v
	}
	a := in[i-1]
	if t.Kind() != reflect.Slice {
		return a
	}
	if from > uint64(a.Len()) || n > uint64(a.Len())-from {
		r.fail(errShort)
		return v
	}
	return a.Slice(int(from), int(from+n))
}

// isPart reports whether the matrices `v` and `a` have the same memory and dimensions or, if `v` and
// `a` are slices, whether `v` is a part of `a`. For slices, isPart also returns the index in `a` at
// which `v` begins, and the length of `v`.
func isPart(v, a reflect.Value) (from, n int, ok bool) {
	if v.Type() != a.Type() || v.IsNil() || a.IsNil() {
		return 0, 0, false
	}
	switch t := v.Type(); {
	case t == denseType:
		x, y := v.Interface().(*mat.Dense).RawMatrix(), a.Interface().(*mat.Dense).RawMatrix()
		return 0, 0, len(x.Data) > 0 && len(y.Data) > 0 && &x.Data[0] == &y.Data[0] && x.Rows == y.Rows &&
			x.Cols == y.Cols
	case t == symType:
		x, y := v.Interface().(*mat.SymDense).RawSymmetric(), a.Interface().(*mat.SymDense).RawSymmetric()
		return 0, 0, len(x.Data) > 0 && len(y.Data) > 0 && &x.Data[0] == &y.Data[0] && x.N == y.N
	}
	if v.Len() == 0 || a.Len() == 0 {
		return 0, 0, false
	}
	size := int(v.Type().Elem().Size())
	off := int(v.Pointer()) - int(a.Pointer())
	if off < 0 || size == 0 || off%size != 0 || off/size+v.Len() > a.Len() {
		return 0, 0, false
	}
	return off / size, v.Len(), true
}

// holdsMemory reports whether the connection transmits changes of the memory to which a value of
// type t refers. This is true for matrices and for slices, except for slices of functions.
func holdsMemory(t reflect.Type) bool {
	switch {
	case t == denseType || t == symType:
		return true
	case t.Kind() == reflect.Slice:
		return t.Elem().Kind() != reflect.Func
	}
	return false
}

// copyInto copies the contents of the value `from` into the memory of the value `to`.
func copyInto(to, from reflect.Value) {
	if !from.IsValid() || from.IsZero() || to.IsZero() {
		return
	}
	switch t := to.Type(); {
	case t == denseType:
		a, b := to.Interface().(*mat.Dense), from.Interface().(*mat.Dense)
		if x, y := a.RawMatrix(), b.RawMatrix(); x.Rows == y.Rows && x.Cols == y.Cols && x.Stride == y.Stride {
			copy(x.Data, y.Data)
		} else {
			*a = *b
		}
	case t == symType:
		a, b := to.Interface().(*mat.SymDense), from.Interface().(*mat.SymDense)
		if x, y := a.RawSymmetric(), b.RawSymmetric(); x.N == y.N && x.Stride == y.Stride {
			copy(x.Data, y.Data)
		} else {
			*a = *b
		}
	case t.Kind() == reflect.Slice && holdsMemory(t.Elem()):
		for i := range min(to.Len(), from.Len()) {
			if old := to.Index(i); old.IsZero() || from.Index(i).IsZero() || old.Kind() == reflect.Slice &&
				old.Len() != from.Index(i).Len() {
				old.Set(from.Index(i))
			} else {
				copyInto(old, from.Index(i))
			}
		}
	case t.Kind() == reflect.Slice:
		reflect.Copy(to, from)
	}
}
