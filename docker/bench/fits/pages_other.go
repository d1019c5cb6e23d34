//go:build !linux

package main

func largePages(n int) []float64 { return make([]float64, n) }
