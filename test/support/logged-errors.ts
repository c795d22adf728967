// The errors that the service logs during a test.
import { onTestFinished, vi } from "vitest";

/** Keeps errors from the console until the end of the test. Returns a function that lists the events that were logged so far, sorted. */
export function collectLoggedErrors(): () => readonly string[] {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  return () => errors.mock.calls.map(([entry]) => entry.event).sort();
}
