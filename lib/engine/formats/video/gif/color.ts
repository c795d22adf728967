// RGB colors as one number in memory order: 0xbbggrr, with or without alpha above.

export function redChannel(color: number): number {
  return color & 255;
}

export function greenChannel(color: number): number {
  return (color >> 8) & 255;
}

export function blueChannel(color: number): number {
  return (color >> 16) & 255;
}

/** Mask that removes the alpha of a pixel. */
export const COLOR_MASK = 0xffffff;

/**
 * Perceptual distance of two colors: squared differences of the channels, weighted by how the eye sees them. A step of
 * all three channels is 3, as without weights.
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
