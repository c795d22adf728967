// The error of the local service that a person can fix.

/** A cause outside the code, such as a busy port or a full disk. The message names the cause and the fix. */
export class LocalServiceError extends Error {
  override readonly name = "LocalServiceError";
}
