// How long a text can be to be part of the description of its output.

/** Bytes. */
export const MAX_CONTENT_BYTES = 100_000;
