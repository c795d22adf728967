// Why requests of a capture failed in the egress proxy: kept here, because a page can read everything in a response.
import { hash } from "node:crypto";
import type { EgressFailure } from "./egress-dial.ts";

/** A page may make 5,000 requests by default; the oldest failures are forgotten first. */
const MAX_FAILURES = 10_000;

/** The last outcome for each key, such as a URL, if it is a failure. Keeps hashes, because a URL can have megabytes. */
export class FailureLog {
  readonly #failures = new Map<string, EgressFailure>();

  set(key: string, failure: EgressFailure): void {
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined && this.#failures.size >= MAX_FAILURES) this.#failures.delete(oldest);
    this.#failures.set(hash("sha256", key), failure);
  }

  /** Forgets the failure: a later request has succeeded. */
  clear(key: string): void {
    if (this.#failures.size > 0) this.#failures.delete(hash("sha256", key));
  }

  get(key: string): EgressFailure | undefined {
    return this.#failures.size > 0 ? this.#failures.get(hash("sha256", key)) : undefined;
  }
}
