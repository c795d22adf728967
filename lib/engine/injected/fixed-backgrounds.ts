/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: lays out backgrounds that are fixed to the window for a picture of more of the
// page than the window shows. Chromium paints them in the window only.

/**
 * Lets backgrounds with `background-attachment: fixed` scroll with their elements, each as it looks when its element is in
 * the middle of the window. What is wholly in the window stays as it is. In an element that is taller than the window, an
 * image is repeated downwards and a gradient spans the element. Waits for the sizes of images, at most `capMs`.
 */
export async function releaseFixedBackgrounds(capMs: number): Promise<void> {
  const { innerWidth: windowWidth, innerHeight: windowHeight, scrollX, scrollY } = window;
  const page = document.scrollingElement ?? document.documentElement;
  const found: HTMLElement[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const { backgroundAttachment, backgroundImage } = getComputedStyle(element);
      if (backgroundAttachment.includes("fixed") && backgroundImage !== "none") found.push(element);
    }
  }
  /** Within a box that holds fixed elements, Chromium lets backgrounds scroll by itself. */
  const isHeld = (element: Element | null): boolean => {
    for (let each = element; each && each !== document.documentElement; each = each.parentElement) {
      const { transform, perspective, filter, willChange } = getComputedStyle(each);
      if ([transform, perspective, filter].some((value) => value !== "none") || willChange.includes("transform"))
        return true;
    }
    return false;
  };
  /** The values of a list, without regard to commas in brackets and quotes. */
  const layersOf = (list: string): string[] =>
    list.match(/(?:\((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*\)|"[^"]*"|[^,(])+/g) ?? [];
  const cap = new Promise<void>((resolve) => setTimeout(resolve, capMs));
  const sizes = new Map<string, { width: number; height: number }>();
  const learnSize = async (layer: string) => {
    const [, address] = /^\s*url\("(.*)"\)\s*$/.exec(layer) ?? [];
    if (address === undefined || sizes.has(layer)) return;
    const image = new Image();
    image.src = address.replace(/\\(.)/g, "$1");
    await Promise.race([image.decode().catch(() => undefined), cap]);
    if (image.naturalWidth > 0 && image.naturalHeight > 0) {
      sizes.set(layer, { width: image.naturalWidth, height: image.naturalHeight });
    }
  };
  const area = { width: windowWidth, height: windowHeight };
  /** What a layer measures in the window; undefined for a size that is calculated. */
  const measured = (layer: string, size: string): { width: number; height: number } | undefined => {
    const natural = sizes.get(layer);
    if (size === "cover" || size === "contain" || size === "auto") {
      if (!natural) return area;
      const scales = [area.width / natural.width, area.height / natural.height];
      const scale = size === "auto" ? 1 : size === "cover" ? Math.max(...scales) : Math.min(...scales);
      return { width: natural.width * scale, height: natural.height * scale };
    }
    const [first = "auto", second = "auto"] = size.split(" ");
    const length = (value: string, whole: number) => {
      const [, number, unit] = /^([\d.]+)(px|%)$/.exec(value) ?? [];
      return number === undefined ? undefined : Number(number) * (unit === "%" ? whole / 100 : 1);
    };
    if ([first, second].some((value) => value.includes("calc"))) return undefined;
    const [width, height] = [length(first, area.width), length(second, area.height)];
    const ratio = natural ? natural.width / natural.height : undefined;
    return {
      width: width ?? (ratio && height ? height * ratio : area.width),
      height: height ?? (ratio && width ? width / ratio : area.height),
    };
  };

  await Promise.all(found.flatMap((element) => layersOf(getComputedStyle(element).backgroundImage).map(learnSize)));
  for (const element of found) {
    if (isHeld(element)) continue;
    // The body's background is that of the page, where the page has none of its own.
    const isPages = element === document.body && getComputedStyle(document.documentElement).backgroundImage === "none";
    const { left, top, bottom, height } = (isPages ? document.documentElement : element).getBoundingClientRect();
    const isWhole = element === document.documentElement || isPages;
    if (!isWhole && top >= 0 && bottom <= windowHeight) continue;
    const isTall = isWhole ? page.scrollHeight > windowHeight : height > windowHeight;
    // Where its top lies in the window when it is in view, and how far the page is scrolled then.
    const wanted = top + scrollY - (isTall ? 0 : (windowHeight - height) / 2);
    const scrolled = Math.max(0, Math.min(wanted, page.scrollHeight - windowHeight));
    const [fromLeft, fromTop] = [left + scrollX, isTall ? 0 : top + scrollY - scrolled];

    const style = getComputedStyle(element);
    const images = layersOf(style.backgroundImage);
    const listed = (list: string) => {
      const values = layersOf(list).map((value) => value.trim());
      return images.map((_, index) => values[index % values.length] ?? "");
    };
    const values = {
      attachment: listed(style.backgroundAttachment),
      size: listed(style.backgroundSize),
      origin: listed(style.backgroundOrigin),
      repeat: listed(style.backgroundRepeat),
      "position-x": listed(style.backgroundPositionX),
      "position-y": listed(style.backgroundPositionY),
    };
    for (const [index, image] of images.entries()) {
      if (values.attachment[index] !== "fixed") continue;
      values.attachment[index] = "scroll";
      const size = values.size[index] ?? "auto";
      const shown = measured(image, size);
      const isStretched = isTall && !sizes.has(image) && /^(auto|cover|contain)$/.test(size);
      if (!shown || isStretched) continue;
      const place = (position: string, left: number, from: number) =>
        `calc(${position.replace(/(-?\d{1,9}(?:\.\d{1,9})?)%/g, (_, share) => `${(Number(share) / 100) * left}px`)} - ${from}px)`;
      values["position-x"][index] = place(values["position-x"][index] ?? "0%", area.width - shown.width, fromLeft);
      values["position-y"][index] = place(values["position-y"][index] ?? "0%", area.height - shown.height, fromTop);
      values.size[index] = `${shown.width}px ${shown.height}px`;
      values.origin[index] = "border-box";
      const isCover = shown.height >= windowHeight - 1;
      if (isTall && isCover && values.repeat[index] === "no-repeat") values.repeat[index] = "repeat-y";
    }
    for (const [property, list] of Object.entries(values)) {
      element.style.setProperty(`background-${property}`, list.join(", "), "important");
    }
  }
}
