// A set whose values expire, with a bound.

export class ExpiringSet {
  readonly #maxEntries: number;
  readonly #lifetimeMs: number;
  readonly #expiries = new Map<string, number>();

  /** `lifetimeMs`: how long a value stays, in milliseconds. The oldest leave first when there are more than `maxEntries`. */
  constructor({ maxEntries, lifetimeMs }: { readonly maxEntries: number; readonly lifetimeMs: number }) {
    this.#maxEntries = maxEntries;
    this.#lifetimeMs = lifetimeMs;
  }

  add(value: string): void {
    this.#expiries.delete(value);
    this.#expiries.set(value, performance.now() + this.#lifetimeMs);
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined && this.#expiries.size > this.#maxEntries) this.#expiries.delete(oldest);
  }

  delete(value: string): void {
    this.#expiries.delete(value);
  }

  has(value: string): boolean {
    return (this.#expiries.get(value) ?? 0) > performance.now();
  }
}
