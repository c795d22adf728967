// Kinds of captures whose calls and costs are measured.
import { randomBytes } from "node:crypto";
import { receivedAt } from "../../../test/fixtures/webhook-receiver.ts";
import { createApiKey, KEY_ENTROPY_BYTES } from "../../service/keys/api-key.ts";
import type { InstrumentedService, Measured } from "./instrumented-service.ts";

export interface Kind {
  readonly name: string;
  /** Functions that are done with an event when all of it is over. */
  readonly functions: readonly string[];
  /** What has to be there before, such as a result in the cache. */
  prepare?(asking: MeasureContext): Promise<unknown>;
  ask(asking: MeasureContext): Promise<ReceivedResponse>;
  /** URL of the result, where it is stored and not in the response. */
  storedAt?(answered: ReceivedResponse, asking: MeasureContext): Promise<string>;
}

export interface MeasureContext {
  readonly service: InstrumentedService;
  /** Unlike that of every other, so that nothing is found that was not prepared. */
  readonly number: number;
}

/** A response as its caller received it. */
export interface ReceivedResponse {
  readonly status: number;
  /** When it began, on the monotonic clock. */
  readonly answeredAt: number;
  /** With all headers. */
  readonly bytes: number;
  readonly body: Buffer;
}

const page = (path: string, { service, number }: MeasureContext) => `${service.site.origin}${path}?n=${number}`;

/** Functions of a capture that is rendered. The renderer is done when its next browser is ready. */
const rendering = ["Screenshot", "Renderer"];

/** A capture of a page with options. */
function captureKind(name: string, path: string, options: Readonly<Record<string, string>> = {}): Kind {
  const ask = (asking: MeasureContext) => post({ url: page(path, asking), ...options }, asking);
  return { name, functions: rendering, ask };
}

const cachedOptions = { cache: "true" };

export const smallPng = captureKind("small PNG", "/small", { store_thumbnail: "false" });
export const smallPngWithThumbnail = captureKind("small PNG with a thumbnail", "/small");
export const jsonResult: Kind = {
  ...captureKind("JSON result, stored", "/small", { response_type: "json" }),
  storedAt: async ({ body }) => (JSON.parse(body.toString()) as { url: string }).url,
};
export const pdf = captureKind("PDF", "/article-10000", { format: "pdf" });

export const cached: Kind = {
  ...captureKind("from the cache", "/small", cachedOptions),
  functions: ["Screenshot"],
  prepare: (asking) =>
    asking.service.measure(rendering, () => post({ url: page("/small", asking), ...cachedOptions }, asking)),
};

export const asynchronous: Kind = {
  name: "in the background, webhook",
  functions: ["Screenshot", "Render", "Renderer", "Webhook"],
  ask: (asking) => {
    const webhook_url = `${asking.service.receiver.origin}/to/${asking.number}`;
    return post({ url: page("/small", asking), async: "true", webhook_url }, asking);
  },
  async storedAt(_, asking) {
    const [webhook] = await receivedWebhooks(asking);
    return (JSON.parse(webhook?.body ?? "") as { data: { url: string } }).data.url;
  },
};

export const refused: Kind = {
  name: "a key that does not exist",
  functions: ["Screenshot"],
  ask: (asking) => post({ url: page("/small", asking) }, asking, createApiKey(randomBytes(KEY_ENTROPY_BYTES))),
};

export const heavyPng = captureKind("heavy page, PNG", "/heavy");
export const fullPage = captureKind("full page, 10,000 px, PNG", "/article-10000", { full_page: "true" });
export const video = captureKind("5 s of 720p30, mp4", "/card", {
  format: "mp4",
  viewport_width: "1280",
  viewport_height: "720",
  video_duration: "5",
  video_fps: "30",
});

/** The webhooks that the receiver has got for a capture. */
export const receivedWebhooks = ({ service, number }: MeasureContext) =>
  receivedAt(service.receiver.origin, String(number));

/** Asks for a capture of a kind and watches until all of it is over. */
export async function measureKind(kind: Kind, asking: MeasureContext): Promise<Measured<ReceivedResponse>> {
  await kind.prepare?.(asking);
  const watched = await asking.service.measure(kind.functions, () => kind.ask(asking));
  const { status, body } = watched.outcome;
  if (kind !== refused && status >= 300) throw new Error(`${kind.name} was answered by ${status}: ${body}`);
  return watched;
}

async function post(
  options: Readonly<Record<string, string>>,
  { service: { captures } }: MeasureContext,
  key = captures.key,
): Promise<ReceivedResponse> {
  const response = await fetch(`${captures.service.baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}` },
    body: new URLSearchParams(options),
  });
  const answeredAt = performance.now();
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, answeredAt, bytes: body.length + headerBytes(response.headers), body };
}

/** As they are sent, with the line of the status. */
export function headerBytes(headers: Iterable<[string, string]>): number {
  return [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, STATUS_LINE_BYTES);
}

const STATUS_LINE_BYTES = 20;
