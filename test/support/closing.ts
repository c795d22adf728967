// Closes resources at the end of a test.
import { onTestFinished } from "vitest";

/** Closes a resource when the running test is over, the last one first; not for tests that run at the same time as others. */
export function closing<T extends { close(): unknown }>(resource: T): T {
  onTestFinished(async () => void (await resource.close()));
  return resource;
}
