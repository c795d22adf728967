// Colours and positions shared by the pages of the fixture site; the pages are in `site-pages/`, one file per subject.

export const RED = [255, 0, 0];
export const GREEN = [0, 128, 0];
export const WHITE = [255, 255, 255];
export const BLACK = [0, 0, 0];
/** Where something lazy has not come yet. */
export const PLACEHOLDER = [204, 204, 204];

/** Place of the box of `/box` and of the pages that paint it green, in CSS pixels. */
export const BOX = { x: 40, y: 30, width: 100, height: 50 };

export const BAND_HEIGHT = 100;

/** Colour of a band of `/bands`: no two neighbours are alike, and each of the first 200 is different. */
export function bandColour(band: number): number[] {
  return [(band * 67) % 256, (band * 29) % 256, band % 2 === 0 ? 200 : 40];
}
