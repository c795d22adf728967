// What renders: a new version of it may paint the same page differently, so that nothing cached before answers for it.

/** Raised by one when the same options begin to give another result. */
const PRODUCT = 1;
/** Version of the package with Chromium; a test holds it against the one that is installed. */
export const CHROMIUM = "153.0.0";

export const RENDERER = `${PRODUCT} chromium ${CHROMIUM}`;
