package remote

import (
	"bytes"
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// changes writes which of the arguments hold something else than before, and what.
func (w *writer) changes(in []reflect.Value, before [][]byte) {
	for i, v := range in {
		now := &writer{c: w.c}
		if holds(v.Type()) {
			now.value(v)
		}
		changed := holds(v.Type()) && !bytes.Equal(now.b, before[i])
		w.bool(changed)
		if changed {
			w.b = append(w.b, now.b...)
		}
	}
}

// changed puts what changes has written into the caller's arguments.
func (c *Conn) changed(r *reader, in []reflect.Value) {
	for _, v := range in {
		if r.bool() {
			into(v, r.value(v.Type()))
		}
	}
}

// movedSince writes which results of earlier calls hold something else now.
func (w *writer) movedSince(list []returned) {
	for i := range list {
		for k, v := range list[i].results {
			if !holds(v.Type()) {
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

// moved puts what movedSince has written into the results that the caller has got.
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
		if !v.IsValid() { // forgotten here: its length is not known
			return
		}
		into(v, r.value(v.Type()))
	}
}

// holds reports whether a value of the type is memory that can change under its owner.
func holds(t reflect.Type) bool {
	switch {
	case t == denseType || t == symType:
		return true
	case t.Kind() == reflect.Slice:
		return t.Elem().Kind() != reflect.Func
	}
	return false
}

// into writes what from holds into the memory of to.
func into(to, from reflect.Value) {
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
	case t.Kind() == reflect.Slice && holds(t.Elem()):
		for i := range min(to.Len(), from.Len()) {
			if old := to.Index(i); old.IsZero() || from.Index(i).IsZero() || old.Kind() == reflect.Slice && old.Len() != from.Index(i).Len() {
				old.Set(from.Index(i))
			} else {
				into(old, from.Index(i))
			}
		}
	case t.Kind() == reflect.Slice:
		reflect.Copy(to, from)
	}
}
