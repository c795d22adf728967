/// <reference lib="dom" />
// The addresses of frames, videos, audio and objects, whose content is no part of the document.

export interface EmbeddedMedia {
  readonly address: string;
  readonly title: string;
}

/** What an element embeds; undefined for other elements, and for what has no address, is not shown, or shows its own content instead. */
export function embeddedMedia(element: Element, name: string): EmbeddedMedia | undefined {
  const address = addressOf(element, name);
  if (!address || !/^https?:/.test(address)) return undefined;
  const { clientWidth, clientHeight } = element;
  if (name !== "audio" && (clientWidth <= 1 || clientHeight <= 1)) return undefined; // a tracking pixel
  const title = element.getAttribute("title") || element.getAttribute("aria-label");
  return { address, title: title?.trim() || address };
}

function addressOf(element: Element, name: string): string | undefined {
  switch (name) {
    case "iframe":
      return element.hasAttribute("srcdoc") ? undefined : (element as HTMLIFrameElement).src;
    case "frame":
      return (element as HTMLFrameElement).src;
    case "video":
    case "audio": {
      const media = element as HTMLMediaElement;
      const sources = [media.currentSrc, media.src, media.querySelector("source")?.src];
      return sources.find((source) => source && /^https?:/.test(source));
    }
    case "embed":
      return (element as HTMLEmbedElement).src;
    case "object":
      return isFallbackShown(element) ? undefined : (element as HTMLObjectElement).data;
    default:
      return undefined;
  }
}

/** True for an object that could not be loaded, whose content is shown in its place. */
export function isFallbackShown(element: Element): boolean {
  for (const child of element.childNodes) {
    if (child instanceof Element ? child.getClientRects().length > 0 : child instanceof Text && hasBox(child))
      return true;
  }
  return false;
}

function hasBox(text: Text): boolean {
  const range = document.createRange();
  range.selectNode(text);
  return range.getClientRects().length > 0;
}
