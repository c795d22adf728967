// Limits of sending the events of a saved receiver again.

/** Maximum number of deliveries that a replay looks at. */
export const MAX_REPLAYED_DELIVERIES = 10_000;

/** A replay ends after so many deliveries in a row that failed; some more can be under way by then. */
export const MAX_REPLAY_FAILURES = 20;

/** How often the webhook of a capture can be sent again on a UTC day: so an account sends at most so many times its webhooks. */
export const MAX_REPEATS_PER_DAY = 3;

/** How long after a replay the next one of the same receiver is possible, in seconds. */
export const REPLAY_PAUSE_S = 60;
