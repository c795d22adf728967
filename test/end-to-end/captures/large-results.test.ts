// Large results, within the limits of Lambda: how fast it streams, and until when.
import { expect, inject, test } from "vitest";
import { openClient } from "../../support/client.ts";

const { baseUrl } = inject("service");
const SIDE = 1_900;

/** A page that no image format makes small: 1,900 × 1,900 random pixels, 11 MB as PNG. */
const noise = `<body style="margin:0"><canvas id="c" width="${SIDE}" height="${SIDE}" style="display:block"></canvas><script>
  const context = c.getContext("2d");
  const image = context.createImageData(${SIDE}, ${SIDE});
  const words = new Uint32Array(image.data.buffer);
  let seed = 1;
  for (let index = 0; index < words.length; index++) {
    seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
    words[index] = seed | 0xff000000;
  }
  context.putImageData(image, 0, 0);
</script>`;

test("large results: a capture of 11 MB is stored, and its response redirects to it", async () => {
  const client = await openClient();
  const post = (options: object, redirect: RequestRedirect) =>
    fetch(`${baseUrl}/api/v1/screenshot`, {
      method: "POST",
      redirect,
      headers: { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ html: noise, viewport_width: SIDE, viewport_height: SIDE, cache_ttl: 600, ...options }),
    });

  const redirect = await post({}, "manual");
  expect([redirect.status, redirect.headers.get("x-cache"), redirect.headers.get("cache-control")]).toEqual([
    303,
    "MISS",
    "no-store",
  ]);
  expect(redirect.headers.get("location")).toMatch(new RegExp(`^${baseUrl}/storage/1-day/[\\w-]+\\.png\\?e=\\d+&s=`));
  expect(await redirect.text()).toContain(redirect.headers.get("location"));

  // A client that follows gets all of it from the bucket, which doesn't slow down to 2 MB per second after the first 6 MB.
  const followed = await post({}, "follow");
  const bytes = await followed.bytes();
  expect(followed.url).toContain("X-Amz-Signature=");
  expect([followed.status, followed.headers.get("content-type"), bytes.subarray(1, 4)]).toEqual([
    200,
    "image/png",
    new Uint8Array(Buffer.from("PNG")),
  ]);
  expect(bytes.length).toBeGreaterThan(10_000_000);
  expect(bytes.length).toBe(Number(followed.headers.get("content-length")));

  expect((await client.logs()).map(({ status, cached, file_size_bytes }) => [status, cached, file_size_bytes])).toEqual(
    [
      ["success", true, bytes.length],
      ["success", false, bytes.length],
    ],
  );
});
