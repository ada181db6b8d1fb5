// The theme leaves three things to do for people who use the keyboard or a screen reader.
document$.subscribe(() => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  for (const code of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0; // so that it can be scrolled
  }
  // The buttons of code blocks are added when a block is first seen.
  const name = () =>
    document.querySelectorAll("nav.md-code__nav:not([aria-label])").forEach((nav) => {
      nav.setAttribute("aria-label", `Code block ${nav.closest("pre")?.id ?? ""}`);
    });
  name();
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
});
