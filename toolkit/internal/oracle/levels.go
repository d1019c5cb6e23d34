package oracle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// number reads an entry of feature j: a number, or the name of a level.
func (c *Case) number(j int, s string) (float64, error) {
	if c.Levels == nil {
		return strconv.ParseFloat(s, 64)
	}
	l := slices.Index(c.Levels[j], s)
	if l < 0 {
		return 0, fmt.Errorf("feature %d has no level %q", j, s)
	}
	return float64(l), nil
}

// readPoints fills Points from numbers or, with Levels, from names.
func (c *Case) readPoints() error {
	if c.Named == nil {
		return nil
	}
	if c.Levels == nil {
		return json.Unmarshal(c.Named, &c.Points)
	}
	var named [][]string
	if err := json.Unmarshal(c.Named, &named); err != nil {
		return err
	}
	for _, names := range named {
		point := make([]float64, len(names))
		for j, s := range names {
			v, err := c.number(j, s)
			if err != nil {
				return err
			}
			point[j] = v
		}
		c.Points = append(c.Points, point)
	}
	return nil
}
