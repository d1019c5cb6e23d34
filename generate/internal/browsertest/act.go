package browsertest

import (
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Point is a place in the window, in CSS pixels from its upper left corner.
type Point struct{ X, Y float64 }

// Center brings the first element that a CSS selector finds into the window and
// returns where its middle is.
func (p *Page) Center(selector string) Point {
	p.t.Helper()
	p.Until(fmt.Sprintf("document.querySelector(%q)", selector))
	return Get[Point](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
		const r = e.getBoundingClientRect();
		return { X: r.left + r.width / 2, Y: r.top + r.height / 2 };
	})()`, selector))
}

// Hover moves the mouse to a place.
func (p *Page) Hover(at Point) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y))
}

// Click clicks on a place with the left button.
func (p *Page) Click(at Point) {
	p.t.Helper()
	p.Hover(at)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
}

// Wheel turns the wheel of the mouse at a place, by so many pixels, with modifiers
// held down (chromedp.ModifierShift).
func (p *Page) Wheel(at Point, pixels float64, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.Hover(at)
	e := wheel{Type: input.DispatchMouseEventTypeMouseWheel, X: at.X, Y: at.Y, DeltaY: pixels}
	for _, m := range modifiers {
		e.Modifiers |= int64(m)
	}
	call(p, cdp.Command[wheel, cdp.Empty]{Method: input.CommandDispatchMouseEvent}, e)
}

// wheel has the fields of input.DispatchMouseEventParams that a turn of the wheel
// needs. That type leaves out a zero, and the browser demands both deltas.
type wheel struct {
	Type      input.DispatchMouseEventType `json:"type"`
	X         float64                      `json:"x"`
	Y         float64                      `json:"y"`
	Modifiers int64                        `json:"modifiers"`
	DeltaX    float64                      `json:"deltaX"`
	DeltaY    float64                      `json:"deltaY"`
}

// Type enters text where the focus is, all at once as a paste does, so that an editor
// adds neither brackets nor indentation.
func (p *Page) Type(text string) {
	p.t.Helper()
	call(p, input.InsertText, input.InsertTextParams{Text: text})
}

// Press presses the key of each character of a text, as a person types it. The character
// belongs to the key's event: a page that prevents the event prevents the character.
func (p *Page) Press(text string) {
	p.t.Helper()
	for _, r := range text {
		for _, event := range kb.Encode(r) {
			switch {
			case event.Type == kb.KeyDown && event.Key != "" && kb.Keys[r].Print:
				event.Text, event.UnmodifiedText = kb.Keys[r].Text, kb.Keys[r].Unmodified
			case event.Type == kb.KeyChar:
				continue
			}
			call(p, input.DispatchKeyEvent, *event)
		}
	}
}

// Key presses a key (of package kb) with modifiers held down.
func (p *Page) Key(key string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}
