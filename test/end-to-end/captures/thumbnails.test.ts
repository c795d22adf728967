// Thumbnails of what Chromium has captured: a tall page with noise, and a video.
import sharp from "sharp";
import { beforeAll, expect, inject, test, vi } from "vitest";
import { type Client, openClient } from "../../support/client.ts";

const { baseUrl } = inject("service");
const small = { viewport_width: "400", viewport_height: "300" };
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

/** Captures, and returns the thumbnail, which is made after the response. */
async function thumbnailOf(options: Record<string, string>): Promise<Buffer> {
  const captured = await client.capture({ ...small, ...options });
  const url = `${baseUrl}/api/v1/usage/${captured.headers.get("x-request-id")}/thumbnail`;
  const found = async () => {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${client.key}` } });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  return vi.waitFor(found, { timeout: 5_000, interval: 50 });
}

test("a thumbnail of a tall page with noise shows its top, in at most 15 kB", async () => {
  const script = `const c = document.createElement("canvas"); c.width = 400; c.height = 4000; const x = c.getContext("2d");
    const d = x.createImageData(400, 4000); let s = 1; for (let i = 0; i < d.data.length; i++)
    d.data[i] = i % 4 === 3 ? 255 : (s = (s * 48271) % 2147483647) & 255; x.putImageData(d, 0, 0); document.body.append(c)`;
  const html = `<!doctype html><style>body { margin: 0 }</style><script>addEventListener("load", () => { ${script} })</script>`;
  const image = await thumbnailOf({ html, full_page: "true" });
  expect(image.length).toBeLessThanOrEqual(15_000);
  const { format, width, height } = await sharp(image).metadata();
  expect([format, height / width]).toEqual(["webp", 1.25]);
});

test("a thumbnail of a video is its first frame", async () => {
  const html = "<body style='background: #0a7'>";
  const { data } = await sharp(await thumbnailOf({ html, format: "mp4", video_duration: "1", video_fps: "5" }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(Math.abs((data[1] ?? 0) - 0xaa)).toBeLessThan(12);
});
