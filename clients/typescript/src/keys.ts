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
   * Gives a key a new text and signing secret. The old text works for `overlap` seconds more, and so do links that the old secret
   * signed; without `overlap`, both stop at once, unless you give a `link_grace_period` for the links.
   */
  rotate(id: number, { overlap, link_grace_period, ...call }: KeyRotation & CallOptions = {}): Promise<IssuedKey> {
    const options = {
      ...(overlap !== undefined && { overlap }),
      ...(link_grace_period !== undefined && { link_grace_period }),
    };
    const body = Object.keys(options).length === 0 ? {} : { body: options };
    return this.#transport.json({ ...call, ...body, method: "POST", path: `${PATH}/${id}/rotate` });
  }

  /** Ends the overlap of a rotation now: the old texts of the key stop working, and so do links that its old secrets signed. */
  endPreviousTexts(id: number, call?: CallOptions): Promise<Key> {
    return this.#transport.json({ ...call, method: "DELETE", path: `${PATH}/${id}/previous` });
  }
}
