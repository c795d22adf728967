// The one kind of error a person who starts the service is meant to read.

/** Something outside the code stops the service: its message is one sentence that says what, and what to do. */
export class LocalServiceError extends Error {
  override readonly name = "LocalServiceError";
}
