/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Holds what moves without a script or a style sheet: media and carets.
import { queryAll, rootsWithFrames } from "./dom/shadow-roots.ts";

const CARETS = "*{caret-animation:manual!important}";

const held = new WeakSet<HTMLMediaElement>();
const steadied = new WeakSet<object>();

/**
 * Holds media at their beginning, and keeps carets from blinking, in the document, its open shadow roots and its frames of the
 * same origin. Media that have not started to play and will not keep their poster. Returns whether media are still loading or
 * seeking, and whether there are frames of other origins, which are not looked at.
 */
export function holdStill(): { isLoading: boolean; hasForeignFrames: boolean } {
  const roots = rootsWithFrames();
  for (const root of roots) {
    if (steadied.has(root)) continue;
    steadied.add(root);
    const view = root.ownerDocument?.defaultView ?? (root as Document).defaultView ?? window;
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(CARETS);
    root.adoptedStyleSheets.push(sheet);
  }
  const media = roots.flatMap((root) => [...queryAll<HTMLMediaElement>(root, "video, audio")]);
  for (const each of media) hold(each);
  return {
    isLoading: media.filter(({ tagName }) => tagName === "VIDEO").some(isLoading),
    hasForeignFrames: roots.some((root) => [...queryAll(root, "iframe, frame")].some(isForeign)),
  };
}

function hold(media: HTMLMediaElement): void {
  const isPlaying = !media.paused || media.autoplay || media.currentTime > 0;
  if (held.has(media) ? media.paused : !isPlaying) return;
  held.add(media);
  media.autoplay = false;
  media.pause();
  media.currentTime = 0;
}

function isLoading(media: HTMLMediaElement): boolean {
  const isAwaited = media.networkState === media.NETWORK_LOADING || held.has(media);
  const hasFailed = media.error !== null || media.networkState === media.NETWORK_NO_SOURCE;
  return !hasFailed && ((isAwaited && media.readyState < media.HAVE_CURRENT_DATA) || media.seeking);
}

function isForeign(frame: Element): boolean {
  return frame instanceof HTMLIFrameElement && frame.contentDocument === null;
}
