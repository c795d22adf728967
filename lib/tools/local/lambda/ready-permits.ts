// Permits to keep a browser ready, which holds 180 MB: for as many sandboxes of a function as can capture at the same time here.

/**
 * Decides for each event which sandbox gets it, and whether that sandbox may keep a browser for its next one. A sandbox with a
 * permit comes first, so that its browser is used; one that ends leaves its permit to the next sandbox that gets an event.
 */
export class ReadyPermits<Sandbox extends { readonly isEnding: boolean }> {
  readonly #holders = new Set<Sandbox>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** The sandbox to use of these idle ones. The last one of them was used last. */
  choose<Idle extends { readonly sandbox: Sandbox }>(idle: readonly Idle[]): Idle | undefined {
    return idle.findLast(({ sandbox }) => this.#holders.has(sandbox)) ?? idle.at(-1);
  }

  /** Whether a sandbox that gets an event may keep a browser ready. */
  permit(sandbox: Sandbox): boolean {
    for (const holder of this.#holders) if (holder.isEnding) this.#holders.delete(holder);
    if (this.#holders.size < this.#max) this.#holders.add(sandbox);
    return this.#holders.has(sandbox);
  }
}
