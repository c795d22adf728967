// A command that can't run as it was typed, or without its settings.

export class UsageError extends Error {
  override readonly name = "UsageError";
}
