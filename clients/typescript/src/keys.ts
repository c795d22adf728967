// The API keys of the account. Requires a key with the scope `keys`.
import type { IssuedKey, Key, KeyChanges, KeyRotation, Keys, NewKey } from "./generated/types.ts";
import type { CallOptions, Transport } from "./transport.ts";

const PATH = "/api/v1/keys";

export class KeyCollection {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the keys, oldest first. */
  async list(call?: CallOptions): Promise<readonly Key[]> {
    return (await this.#transport.json<Keys>({ ...call, method: "GET", path: PATH })).data;
  }

  /** Creates a key. Its text and signing secret appear in this answer only. */
  create(key: NewKey, call?: CallOptions): Promise<IssuedKey> {
    return this.#transport.json({ ...call, method: "POST", path: PATH, body: key });
  }

  get(id: number, call?: CallOptions): Promise<Key> {
    return this.#transport.json({ ...call, method: "GET", path: `${PATH}/${id}` });
  }

  change(id: number, changes: KeyChanges, call?: CallOptions): Promise<Key> {
    return this.#transport.json({ ...call, method: "PATCH", path: `${PATH}/${id}`, body: changes });
  }

  /** Revokes a key for good. */
  revoke(id: number, call?: CallOptions): Promise<Key> {
    return this.#transport.json({ ...call, method: "DELETE", path: `${PATH}/${id}` });
  }

  /**
   * Gives a key a new text and signing secret. The old text stops working at once, and so do links that the old secret signed,
   * unless you give a `link_grace_period`.
   */
  rotate(id: number, { link_grace_period, ...call }: KeyRotation & CallOptions = {}): Promise<IssuedKey> {
    const body = link_grace_period === undefined ? {} : { body: { link_grace_period } };
    return this.#transport.json({ ...call, ...body, method: "POST", path: `${PATH}/${id}/rotate` });
  }
}
