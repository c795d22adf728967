// Limits of sending the events of a saved receiver again.

/** Maximum number of deliveries that a replay looks at. */
export const MAX_REPLAYED_DELIVERIES = 10_000;

/** How long after a replay the next one of the same receiver is possible, in seconds. */
export const REPLAY_PAUSE_S = 60;
