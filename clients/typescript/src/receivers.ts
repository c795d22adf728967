// The saved receivers of webhooks. A key needs the scopes `keys` and `capture`; for their deliveries, `usage`.
import type {
  IssuedWebhookReceiver,
  NewWebhookReceiver,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookReceiver,
  WebhookReceiverChanges,
  WebhookReceiverSecret,
  WebhookReceivers,
  WebhookReplay,
  WebhookReplayRequest,
  WebhookSecretRotation,
  WebhookTest,
} from "./generated/types.ts";
import type { CallOptions, Transport } from "./transport.ts";
import { listOlder } from "./usage.ts";

const PATH = "/api/v1/webhooks/receivers";

export class ReceiverCollection {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the receivers with their health: saved ones, oldest first, and automatic ones that fail or are paused. */
  async list(call?: CallOptions): Promise<readonly WebhookReceiver[]> {
    return (await this.#transport.json<WebhookReceivers>({ ...call, method: "GET", path: PATH })).data;
  }

  /** Saves a receiver. Send its `id` as `webhook_receiver`, and verify its webhooks with its `signing_secret`. */
  create(receiver: NewWebhookReceiver, call?: CallOptions): Promise<IssuedWebhookReceiver> {
    return this.#transport.json({ ...call, method: "POST", path: PATH, body: receiver });
  }

  get(id: string, call?: CallOptions): Promise<WebhookReceiver> {
    return this.#transport.json({ ...call, method: "GET", path: pathOf(id) });
  }

  /** Changes the name or the URL. */
  change(id: string, changes: WebhookReceiverChanges, call?: CallOptions): Promise<WebhookReceiver> {
    return this.#transport.json({ ...call, method: "PATCH", path: pathOf(id), body: changes });
  }

  /** Deletes a receiver: captures that name it are refused. */
  async delete(id: string, call?: CallOptions): Promise<void> {
    await this.#transport.send({ ...call, method: "DELETE", path: pathOf(id) });
  }

  /** The secret that signs its webhooks. */
  async secret(id: string, call?: CallOptions): Promise<string> {
    const request = { ...call, method: "GET", path: `${pathOf(id)}/secret` } as const;
    return (await this.#transport.json<WebhookReceiverSecret>(request)).signing_secret;
  }

  /** Gives a receiver a new secret. For `overlap` seconds, a day unless you say otherwise, both secrets sign. */
  rotateSecret(
    id: string,
    { overlap, ...call }: WebhookSecretRotation & CallOptions = {},
  ): Promise<IssuedWebhookReceiver> {
    const body = overlap === undefined ? {} : { body: { overlap } };
    return this.#transport.json({ ...call, ...body, method: "POST", path: `${pathOf(id)}/rotate` });
  }

  /** Pauses a receiver: its webhooks are kept for 7 days each. */
  pause(id: string, call?: CallOptions): Promise<WebhookReceiver> {
    return this.#transport.json({ ...call, method: "POST", path: `${pathOf(id)}/pause` });
  }

  /** Resumes a receiver: what was kept is sent, oldest first. */
  resume(id: string, call?: CallOptions): Promise<WebhookReceiver> {
    return this.#transport.json({ ...call, method: "POST", path: `${pathOf(id)}/resume` });
  }

  /** The deliveries of the last 30 days, newest first. */
  deliveries(
    id: string,
    filter: WebhookDeliveryFilter = {},
    call?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return listOlder(this.#transport, `${pathOf(id)}/deliveries`, filter, call);
  }

  /** Sends a test event, and returns what the receiver answered. */
  test(id: string, call?: CallOptions): Promise<WebhookTest> {
    return this.#transport.json({ ...call, method: "POST", path: `${pathOf(id)}/test` });
  }

  /** Sends the webhooks of a time again, such as those of an outage. */
  replay(id: string, time: WebhookReplayRequest, call?: CallOptions): Promise<WebhookReplay> {
    return this.#transport.json({ ...call, method: "POST", path: `${pathOf(id)}/replay`, body: time });
  }
}

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
