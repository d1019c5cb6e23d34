package browsertest

import (
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// Offline switches the network off, for the page and for its workers.
func (p *Page) Offline() {
	p.t.Helper()
	call(p, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}}})
}

// Choose gives a file to the first file input that a selector finds.
func (p *Page) Choose(selector, file string) {
	p.t.Helper()
	found := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: fmt.Sprintf("document.querySelector(%q)", selector)})
	if found.Result == nil || found.Result.ObjectID == "" {
		p.fail("there is no " + selector)
	}
	call(p, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{file}, ObjectID: found.Result.ObjectID})
}

// Before has a script run before those of each page that is opened from now on.
func (p *Page) Before(script string) {
	p.t.Helper()
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}
