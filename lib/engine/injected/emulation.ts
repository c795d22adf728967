/// <reference lib="dom" />
// Emulation that Chromium has no command for. Runs in the page's main world.

/** Removes `navigator.userAgentData`. Without client hints Chromium sends none, but keeps an empty object. */
export function removeUserAgentData(): void {
  delete (Navigator.prototype as { userAgentData?: unknown }).userAgentData;
}

/** Adds the touch event handlers that scripts look for. Emulation adds them to new documents only, not to the current one. */
export function addTouchEventHandlers(): void {
  for (const target of [window, Document.prototype, HTMLElement.prototype]) {
    if (!("ontouchstart" in target)) Object.assign(target, { ontouchstart: null });
  }
}
