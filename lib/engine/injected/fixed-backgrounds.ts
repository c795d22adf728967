/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Fixed backgrounds (`background-attachment: fixed`) in a picture of the whole page: Chromium paints them in the window only.
import { delay, scrollingElement } from "./dom/document.ts";
import { queryAllRoots } from "./dom/shadow-roots.ts";

/**
 * Makes fixed backgrounds scroll with their elements, each as it looks when its element is in the middle of the window.
 * Elements that are wholly in the window stay as they are. In an element that is taller than the window, an image is
 * repeated downwards and a gradient spans the element. Waits for the sizes of images, at most `capMs`.
 */
export async function releaseFixedBackgrounds(capMs: number): Promise<void> {
  const { innerWidth: windowWidth, innerHeight: windowHeight, scrollX, scrollY } = window;
  const page = scrollingElement();
  const found = queryAllRoots("*").filter((element) => {
    const { backgroundAttachment, backgroundImage } = getComputedStyle(element);
    return backgroundAttachment.includes("fixed") && backgroundImage !== "none";
  });
  /** Inside a containing block of fixed elements, Chromium itself makes the backgrounds scroll. */
  const isContained = (element: Element | null): boolean => {
    for (let each = element; each && each !== document.documentElement; each = each.parentElement) {
      const { transform, perspective, filter, willChange } = getComputedStyle(each);
      if ([transform, perspective, filter].some((value) => value !== "none") || willChange.includes("transform"))
        return true;
    }
    return false;
  };
  /** The values of a comma-separated list; commas in brackets and quotes do not separate. */
  const splitLayers = (list: string): string[] =>
    list.match(/(?:\((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*\)|"[^"]*"|[^,(])+/g) ?? [];
  const cap = delay(capMs);
  const sizes = new Map<string, { width: number; height: number }>();
  const loadSize = async (layer: string) => {
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
  /** The size of a layer in the window; undefined for a `calc()` size. */
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

  await Promise.all(found.flatMap((element) => splitLayers(getComputedStyle(element).backgroundImage).map(loadSize)));
  for (const element of found) {
    if (isContained(element)) continue;
    // The background of the body is painted on the canvas of the page when the root element has none.
    const isPages = element === document.body && getComputedStyle(document.documentElement).backgroundImage === "none";
    const { left, top, bottom, height } = (isPages ? document.documentElement : element).getBoundingClientRect();
    const isWhole = element === document.documentElement || isPages;
    if (!isWhole && top >= 0 && bottom <= windowHeight) continue;
    const isTall = isWhole ? page.scrollHeight > windowHeight : height > windowHeight;
    // The scroll offset at which the element is in the middle of the window.
    const wanted = top + scrollY - (isTall ? 0 : (windowHeight - height) / 2);
    const scrolled = Math.max(0, Math.min(wanted, page.scrollHeight - windowHeight));
    const [fromLeft, fromTop] = [left + scrollX, isTall ? 0 : top + scrollY - scrolled];

    const style = getComputedStyle(element);
    const images = splitLayers(style.backgroundImage);
    const listed = (list: string) => {
      const values = splitLayers(list).map((value) => value.trim());
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
