// The steps of a visit.

/** The share of a window between two stops: where nothing is unusual, and elsewhere. */
export const CALM_STEP = 0.95;
export const CAREFUL_STEP = 0.5;

export const MAX_WINDOWS = 300;
