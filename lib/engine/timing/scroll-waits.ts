// How long a page is waited for at each scroll position, in milliseconds.

/**
 * For handlers that throttle or debounce scrolling, and for transitions. In real time, which the caller waits for, only steps to
 * placeholders of images have it, and pages that change while they are scrolled.
 */
export const REACTION_MS = 300;

/** Virtual time: how long a window stands still before it is looked at, and the longest wait for that. */
export const STILL_MS = 100;
export const MAX_MOVING_MS = 1_500;

/** Real time: longest wait for what scrolling reveals in a window. */
export const MAX_REVEAL_MS = 1_000;
