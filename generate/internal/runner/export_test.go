package runner

// Page makes a page without running anything.
var Page = Options.page
