// MCP over HTTP: the headers of a request, and the messages of a response.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http

export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly protocolVersion?: unknown };
  readonly error?: unknown;
}

/** What `initialize` agrees on, for clients of 2025-11-25 and before. */
export interface Agreement {
  readonly version?: string;
  readonly session?: string;
}

/** Clients since 2026-07-28 name their version in each request. */
const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

/** The parameter that `Mcp-Name` repeats, by method. */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

export function requestHeaders({ method, params }: Message, agreed: Agreement): Record<string, string> {
  const meta = params?.["_meta"] as Readonly<Record<string, unknown>> | undefined;
  const version = meta?.[PROTOCOL_VERSION] ?? agreed.version;
  const name = method === undefined ? undefined : params?.[namedBy[method] ?? ""];
  return {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(typeof version === "string" && { "MCP-Protocol-Version": headerValue(version) }),
    ...(method !== undefined && { "Mcp-Method": headerValue(method) }),
    ...(typeof name === "string" && { "Mcp-Name": headerValue(name) }),
    ...(agreed.session !== undefined && { "Mcp-Session-Id": agreed.session }),
  };
}

/** Text that a header can't contain as it is, or that looks encoded, becomes `=?base64?…?=`. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

export function readAgreement({ result }: Message, headers: Headers): Agreement {
  const session = headers.get("mcp-session-id");
  return {
    ...(typeof result?.protocolVersion === "string" && { version: result.protocolVersion }),
    ...(session !== null && { session }),
  };
}

export function parseMessage(text: string): Message | undefined {
  try {
    const message = JSON.parse(text);
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The messages of a response as they arrive: one in JSON, or several in an event stream. */
export async function* readMessages(response: Response): AsyncGenerator<Message, void, undefined> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  for await (const text of isStream ? eventData(response) : [await response.text()]) {
    const message = parseMessage(text);
    if (message) yield message;
  }
}

/** The data of each server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function* eventData({ body }: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let buffer = "";
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    buffer += decoder.decode(chunk, { stream: true });
    const events = buffer.replaceAll(/\r\n?(?!$)/g, "\n").split("\n\n");
    buffer = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
      if (data.length > 0) yield data.join("\n");
    }
  }
}
