// Pictures for models, which the renderer makes of a stored image: what it returns, also if a page has taken it over.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { NoPicture } from "../../../lib/service/mcp/picture-limits.ts";
import { renderPictures } from "../../../lib/service/rendering/remote-pictures.ts";
import { serveRender } from "../../../lib/service/rendering/serve-render.ts";
import { type InvokeApi, startInvokeApi } from "../../../lib/tools/local/lambda/invoke-api.ts";

let respond: (event: string) => Readable;
let tenants: (string | undefined)[] = [];
let api: InvokeApi;
let storage: Server;
let link: string;
beforeAll(async () => {
  api = await startInvokeApi(async (_, event, tenantId) => {
    tenants.push(tenantId);
    return { isStreamed: true, payload: respond(event) };
  });
  vi.stubEnv("AWS_ENDPOINT_URL_LAMBDA", api.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  const image = sharp({ create: { width: 300, height: 4_000, channels: 3, background: "teal" } });
  const stored = await image.png().toBuffer();
  storage = createServer((request, response) => {
    if (request.url === "/image") response.end(stored);
    else if (request.url === "/redirect") response.writeHead(302, { Location: "/image" }).end();
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await vi.waitFor(() => expect(storage.listening).toBe(true));
  link = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterAll(async () => {
  storage.close();
  await api.stop();
  vi.unstubAllEnvs();
});

const rendererOf = (tenantId?: string) => ({ functionName: "renderer", ...(tenantId !== undefined && { tenantId }) });

/** The renderer as it is. */
function byRenderer(event: string): Readable {
  const stream = new PassThrough();
  serveRender(JSON.parse(event), stream, () => ({
    prepare: () => undefined,
    capture: () => Promise.reject(new Error("Nothing is captured.")),
    kill: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  })).catch((error) => stream.destroy(error));
  return stream;
}

test.each(["/image", "/redirect"])("pictures: are made of the image behind %s, for a tenant", async (path) => {
  respond = byRenderer;
  tenants = [];
  const whole = await renderPictures({ link: `${link}${path}` }, rendererOf("key-1"));
  expect({ ...whole, pictures: whole.pictures.length, scale: 0 }).toEqual({
    width: 300,
    height: 4_000,
    pictures: 1,
    scale: 0,
    total: 1,
  });
  expect(await sharp(whole.pictures[0]).metadata()).toMatchObject({ format: "webp", height: 1_568 });
  expect(tenants).toEqual(["key-1"]);
});

test("pictures: slices begin with the one that was asked for", async () => {
  respond = byRenderer;
  const sliced = await renderPictures({ link: `${link}/image`, firstSlice: 2 }, rendererOf());
  expect([sliced.total, sliced.pictures.length]).toEqual([3, 2]);
});

const head = (json: object, ...rest: Buffer[]) => {
  const bytes = Buffer.from(JSON.stringify(json));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Readable.from([length, bytes, ...rest]);
};
const facts = { kind: "pictures", width: 1, height: 1, total: 1, scale: 1 };
const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1");

test("pictures: a valid response is read, so that the following differ from it in one place only", async () => {
  respond = () => head({ ...facts, bytes: [webp.length] }, webp);
  expect((await renderPictures({ link }, rendererOf())).pictures).toEqual([webp]);
});

test.each<[string, (event: string) => Readable]>([
  ["nothing", () => Readable.from([])],
  ["a head of four gigabytes", () => Readable.from([Buffer.from([255, 255, 255, 255])])],
  ["a long head", () => head({ ...facts, bytes: [], more: "x".repeat(1_000) })],
  ["an SVG", () => head({ ...facts, bytes: [1_000] }, Buffer.from("<svg>".padEnd(1_000)))],
  ["a large picture", () => head({ ...facts, bytes: [2_000_001] }, Buffer.alloc(2_000_001))],
  ["many pictures", () => head({ ...facts, bytes: Array(7).fill(webp.length) }, ...Array(7).fill(webp))],
  ["half a picture", () => head({ ...facts, bytes: [100] }, webp)],
  ["a capture", () => head({ kind: "result", bytes: [] })],
  ["an image that is gone", () => byRenderer(JSON.stringify({ work: { link: `${link}/gone` } }))],
])("pictures: %s is no picture", async (_, response) => {
  respond = response;
  await expect(renderPictures({ link }, rendererOf())).rejects.toThrow(NoPicture);
});
