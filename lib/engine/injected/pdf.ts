/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Functions that prepare a page for print. They run inside the page, sent there as text: they can use nothing from
// outside themselves, and no timers, which stand still where scripts are turned off.

/** Adds CSS to the document and to every open shadow root, last, where no content security policy can refuse it. */
export async function addStyle(css: string): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    root.adoptedStyleSheets.push(sheet);
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) roots.push(element.shadowRoot);
  }
}

/**
 * How many fonts and images are still on their way, those too that the layout has yet to ask for, but not the images
 * that load only once they are near.
 */
export async function assetsOnTheirWay(): Promise<number> {
  document.documentElement.getBoundingClientRect();
  const images = [...document.images].filter((image) => !image.complete && image.loading !== "lazy");
  return images.length + (document.fonts.status === "loading" ? 1 : 0);
}

/** Lets the page do what it does before it is printed. */
export async function announcePrint(): Promise<void> {
  window.dispatchEvent(new Event("beforeprint"));
}

/** Keeps what the page cuts off at its sides from counting as its width: print would shrink everything to fit it in. */
export async function clipHiddenOverflow(): Promise<void> {
  const roots = [document.documentElement, document.body].filter((element) => element instanceof HTMLElement);
  if (!roots.some((element) => /hidden|clip/.test(getComputedStyle(element).overflowX))) return;
  // On both, since the window takes the overflow of the outer one for its own.
  for (const element of roots) element.style.setProperty("overflow-x", "clip", "important");
}

/** Height of the content in CSS pixels, also where it is less than the window's. */
export async function contentHeight(): Promise<number> {
  const root = document.documentElement;
  if (root.scrollHeight > window.innerHeight) return root.scrollHeight;
  let lowest = 0;
  const elements: Element[] = [root];
  for (const element of elements) {
    const { position, overflowY } = getComputedStyle(element);
    if (position === "fixed") continue;
    lowest = Math.max(lowest, element.getBoundingClientRect().bottom + window.scrollY);
    if (overflowY !== "visible" && element !== root && element !== document.body) continue;
    for (const child of element.children) elements.push(child);
  }
  return Math.ceil(lowest);
}

/**
 * Remembers the lengths that may depend on the height of the window; called again in a window of another height, it
 * fixes those that have changed at what they were. At most `limit` elements are looked at.
 */
export async function fixWindowHeights(limit: number): Promise<void> {
  const sizes =
    "height min-height max-height flex-basis grid-template-rows grid-auto-rows row-gap font-size line-height";
  const names = [...sizes.split(" "), "padding-top", "padding-bottom", "margin-top", "margin-bottom", "top"];
  const elements: HTMLElement[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (elements.length >= limit) break;
      elements.push(element);
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  const lengthsOf = (element: HTMLElement) => {
    const computed = element.computedStyleMap();
    return names.map((name) => String(computed.get(name)));
  };
  const place = window as { lengthsBeforePrint?: Map<HTMLElement, string[]> };
  const before = place.lengthsBeforePrint;
  if (!before) {
    // A share of the window's height stays a share, whatever the window: fixed by what it comes to.
    const { style } = document.documentElement;
    const computed = document.documentElement.computedStyleMap();
    for (const name of ["height", "min-height"]) {
      const share = /^([\d.]+)%$/.exec(String(computed.get(name)));
      if (share) style.setProperty(name, `${(Number(share[1]) / 100) * window.innerHeight}px`, "important");
    }
    place.lengthsBeforePrint = new Map(elements.map((element) => [element, lengthsOf(element)]));
    return;
  }
  const changed = elements.map((element) => [element, lengthsOf(element)] as const);
  for (const [element, now] of changed) {
    const then = before.get(element) ?? now;
    for (const [index, name] of names.entries()) {
      if (then[index] !== now[index]) element.style.setProperty(name, then[index] ?? "", "important");
    }
  }
}

/**
 * Takes away everything but the first visible element that matches. Its ancestors stay, so that it inherits what it
 * did, but without a box, so that it begins at the top left of the paper; slots of open shadow roots are followed.
 * Returns false, with nothing changed, when nothing visible matches.
 */
export async function isolate(selector: string): Promise<boolean> {
  const target = [...document.querySelectorAll<HTMLElement>(selector)].find((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0;
  });
  if (!target) return false;

  const force = (element: Element, properties: Readonly<Record<string, string>>) => {
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, "important");
  };
  const own = getComputedStyle(target);
  const around = target.parentElement ? getComputedStyle(target.parentElement).display : "";
  // A box that its surroundings sized, such as an item of a flex container, keeps its width as far as the paper goes.
  if (/absolute|fixed/.test(own.position) || own.float !== "none" || /flex|grid/.test(around)) {
    const width = `${target.getBoundingClientRect().width}px`;
    force(target, { width, "max-width": "100%", "box-sizing": "border-box" });
  }
  if (own.position !== "static") force(target, { position: "relative", inset: "0 auto auto 0" });
  if (own.transform.startsWith("matrix(1, 0, 0, 1, ")) force(target, { transform: "none" });
  force(target, { margin: "0", float: "none", translate: "none" });

  const noPseudoElements = new CSSStyleSheet();
  noPseudoElements.replaceSync(
    ":is([data-around-printed],:host)::before,:is([data-around-printed],:host)::after,*::backdrop{display:none!important}",
  );
  document.adoptedStyleSheets.push(noPseudoElements);
  for (let inner: Element = target; inner !== document.documentElement; ) {
    for (const sibling of inner.parentNode?.childNodes ?? []) {
      if (sibling === inner) continue;
      if (sibling instanceof Element) {
        // A drawing refers to these, and could not if they were displayed no more.
        const shown = !/^(defs|clipPath|mask|marker|symbol|pattern|filter|(linear|radial)Gradient)$/.test(
          sibling.localName,
        );
        if (shown || !(sibling instanceof SVGElement)) force(sibling, { display: "none" });
      }
      if (sibling instanceof Text) sibling.data = "";
    }
    let outer = inner.assignedSlot ?? inner.parentNode;
    if (outer instanceof ShadowRoot) {
      outer.adoptedStyleSheets.push(noPseudoElements);
      outer = outer.host;
    }
    if (!(outer instanceof Element)) break;
    outer.setAttribute("data-around-printed", "");
    if (outer instanceof HTMLElement) force(outer, { display: "contents", background: "none" });
    inner = outer;
  }
  if (target === document.documentElement) return true;
  const bare = { margin: "0", padding: "0", border: "0", position: "static", overflow: "visible", filter: "none" };
  const free = { width: "auto", height: "auto", "min-width": "0", "max-width": "none", "min-height": "0" };
  force(document.documentElement, {
    display: "block",
    opacity: "1",
    transform: "none",
    columns: "auto",
    ...bare,
    ...free,
  });
  return true;
}
