// How long the old text of a rotated key can keep working.

const HOUR_S = 60 * 60;

/** Each in seconds, with its words. */
export const overlaps = [
  [0, "It stops working now"],
  [HOUR_S, "It works for 1 more hour"],
  [24 * HOUR_S, "It works for 24 more hours"],
  [3 * 24 * HOUR_S, "It works for 3 more days"],
  [7 * 24 * HOUR_S, "It works for 7 more days"],
] as const;
