// `capture mcp`: a bridge between the stdio transport of MCP (https://modelcontextprotocol.io) and the HTTP endpoint of the
// service. Each line of the input is a JSON-RPC message, and each message from the service becomes a line of the output.
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type Agreement, type Message, parseMessage, readAgreement, readMessages, requestHeaders } from "./mcp-http.ts";

export interface BridgeSettings {
  readonly key: string;
  readonly baseUrl: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the bridge. */
  readonly signal: AbortSignal;
}

type RequestId = string | number;

/** JSON-RPC 2.0: https://www.jsonrpc.org/specification#error_object */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** Relays messages until the input has ended and the requests in progress are answered. */
export async function relayMessages({ input, signal, ...settings }: BridgeSettings): Promise<void> {
  const bridge = new Bridge(settings);
  const lines = createInterface({ input, terminal: false });
  const stop = () => {
    lines.close();
    bridge.cancelAll();
  };
  signal.addEventListener("abort", stop, { once: true });
  for await (const line of lines) if (line.trim() !== "") await bridge.accept(line);
  await bridge.finish();
  signal.removeEventListener("abort", stop);
}

class Bridge {
  readonly #endpoint: string;
  readonly #key: string;
  readonly #output: Writable;
  readonly #inProgress = new Map<RequestId, AbortController>();
  readonly #relays = new Set<Promise<void>>();
  #agreed: Agreement = {};

  constructor({ key, baseUrl, output }: Pick<BridgeSettings, "key" | "baseUrl" | "output">) {
    this.#endpoint = `${baseUrl.replace(/\/+$/, "")}/mcp`;
    this.#key = key;
    this.#output = output;
  }

  /** Starts to relay a message. Resolves when the next one can follow: later messages need the result of `initialize`. */
  async accept(line: string): Promise<void> {
    const message = parseMessage(line);
    if (message === undefined) return this.#fail(null, PARSE_ERROR, "The line isn't a JSON object.");
    const relay = this.#relay(message).finally(() => this.#relays.delete(relay));
    this.#relays.add(relay);
    if (message.method === "initialize") await relay;
  }

  async finish(): Promise<void> {
    await Promise.all(this.#relays);
  }

  cancelAll(): void {
    for (const controller of this.#inProgress.values()) controller.abort();
  }

  async #relay(message: Message): Promise<void> {
    // Over HTTP, a request is cancelled by closing its response.
    if (message.method === "notifications/cancelled") {
      return this.#inProgress.get(message.params?.["requestId"] as RequestId)?.abort();
    }
    const id = message.method === undefined ? undefined : (message.id ?? undefined);
    const controller = new AbortController();
    if (id !== undefined) this.#inProgress.set(id, controller);
    try {
      await this.#send(message, id, controller.signal);
    } catch {
      if (controller.signal.aborted) return;
      this.#fail(id, INTERNAL_ERROR, `Can't reach ${this.#endpoint}. Is the service running?`);
    } finally {
      if (id !== undefined) this.#inProgress.delete(id);
    }
  }

  /** Sends a message, and writes what comes back. A request with an id always gets a response. */
  async #send(message: Message, id: RequestId | undefined, signal: AbortSignal): Promise<void> {
    const response = await fetch(this.#endpoint, {
      method: "POST",
      headers: { ...requestHeaders(message, this.#agreed), Authorization: `Bearer ${this.#key}` },
      body: JSON.stringify(message),
      signal,
    });
    let [isAnswered, problem] = [false, `The service answered with status ${response.status} and no message.`];
    for await (const received of readMessages(response)) {
      if (received.jsonrpc === undefined) {
        if (typeof received.error === "string") problem = received.error; // an error of the API, such as for a wrong key
        continue;
      }
      if (message.method === "initialize" && received.result) this.#agreed = readAgreement(received, response.headers);
      const isTransportError = received.error !== undefined && received.id == null;
      this.#write(isTransportError && id !== undefined ? { ...received, id } : received);
      isAnswered ||= isTransportError || received.id === id;
    }
    if (!isAnswered) this.#fail(id, response.ok ? INTERNAL_ERROR : INVALID_REQUEST, problem);
  }

  /** Writes an error response. A notification, which has no id, gets none. */
  #fail(id: RequestId | null | undefined, code: number, message: string): void {
    if (id !== undefined) this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: unknown): void {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }
}
