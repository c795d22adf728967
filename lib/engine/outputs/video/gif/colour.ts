// Colours as one number, in the order in which pixels lie in memory: 0xbbggrr, with or without alpha above.

export function redChannel(colour: number): number {
  return colour & 255;
}

export function greenChannel(colour: number): number {
  return (colour >> 8) & 255;
}

export function blueChannel(colour: number): number {
  return (colour >> 16) & 255;
}

/** The colour of a pixel, without its alpha. */
export const COLOR_MASK = 0xffffff;

/**
 * How far the eye takes one colour to be from another: squared steps of the channels, of which green counts most. A
 * step of all three is 3, as it would be without weights.
 */
export function distance(one: number, other: number): number {
  const red = redChannel(one) - redChannel(other);
  const green = greenChannel(one) - greenChannel(other);
  const blue = blueChannel(one) - blueChannel(other);
  return RED_WEIGHT * red * red + GREEN_WEIGHT * green * green + BLUE_WEIGHT * blue * blue;
}

export const RED_WEIGHT = 0.9;
export const GREEN_WEIGHT = 1.5;
export const BLUE_WEIGHT = 0.6;
