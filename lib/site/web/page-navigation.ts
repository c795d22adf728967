// Navigation within a page: marks the section that is read in the table of contents, and shows the current page in the list of pages.

export function followReading(document: Document): void {
  showCurrentPage(document);
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>(".docs-toc a")].map((link) => [link.hash.slice(1), link]),
  );
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  if (headings.length === 0) return;
  let current: HTMLAnchorElement | undefined;
  const mark = () => {
    const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 2;
    const heading = headings.findLast((each) => each.getBoundingClientRect().top <= line) ?? headings[0];
    const link = links.get(heading?.id ?? "");
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    if (link) scrollWithin(link);
    current = link;
  };
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
  mark();
}

/** The list of pages scrolls by itself, and starts at its top. */
function showCurrentPage(document: Document): void {
  // Where the style sheet shows the list, it is open for assistive technology, too.
  const list = document.querySelector<HTMLDetailsElement>(".docs-side");
  if (list && matchMedia("(width >= 48rem)").matches) list.open = true;
  const link = document.querySelector<HTMLElement>(".docs-side [aria-current]");
  if (link) scrollWithin(link);
}

/** Scrolls the list around a link, never the page. */
function scrollWithin(link: HTMLElement): void {
  const list = link.closest<HTMLElement>(".docs-side, .docs-toc");
  if (!list || list.scrollHeight <= list.clientHeight) return;
  const { top, bottom } = link.getBoundingClientRect();
  const box = list.getBoundingClientRect();
  if (top >= box.top && bottom <= box.bottom) return;
  list.scrollTop += top - box.top - box.height / 3;
}
