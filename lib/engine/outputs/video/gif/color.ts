// Colors as one number, in the order in which pixels lie in memory: 0xbbggrr, with or without alpha above.

export function redChannel(color: number): number {
  return color & 255;
}

export function greenChannel(color: number): number {
  return (color >> 8) & 255;
}

export function blueChannel(color: number): number {
  return (color >> 16) & 255;
}

/** The color of a pixel, without its alpha. */
export const COLOR_MASK = 0xffffff;

/**
 * How far the eye takes one color to be from another: squared steps of the channels, of which green counts most. A
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
