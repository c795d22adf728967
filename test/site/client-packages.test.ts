// The packages of the clients: the same sources give the same bytes, and names follow from the version.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import client from "../../clients/typescript/package.json" with { type: "json" };
import { WHEEL_PATH, wheelName } from "../../lib/site/client-packages/client-paths.ts";
import { npmTarball } from "../../lib/site/client-packages/npm-tarball.ts";
import { pythonWheel } from "../../lib/site/client-packages/python-wheel.ts";
import service from "../../package.json" with { type: "json" };

test("client packages: two builds have the same bytes", async () => {
  const [first, second] = await Promise.all([npmTarball(), npmTarball()]);
  expect(first.equals(second)).toBe(true);
  expect(Buffer.from(pythonWheel().content).equals(pythonWheel().content)).toBe(true);
});

test("client packages: all have the version of the service, under which the website serves the wheel", () => {
  expect(client.version).toBe(service.version);
  expect(WHEEL_PATH).toBe(`/${pythonWheel().name}`);
  expect(pythonWheel().name).toBe(wheelName(service.version));
});

test("client packages: the tarball has the code, its types, and the command, and no sources", async () => {
  const text = gunzipSync(await npmTarball()).toString("latin1");
  for (const file of ["package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "dist/cli/main.js"]) {
    expect(text).toContain(`package/${file}`);
  }
  expect(text).not.toMatch(/package\/[\w/.-]+(?<!\.d)\.ts\0/);
});

test("client packages: the wheel records the hash and the size of each of its files", () => {
  const files = unzipSync(pythonWheel().content);
  const info = Object.keys(files).find((name) => name.endsWith("/RECORD")) ?? "";
  const lines = strFromU8(files[info] ?? new Uint8Array())
    .trim()
    .split("\n");
  const expected = Object.entries(files).map(([name, content]) => {
    const hash = createHash("sha256").update(content).digest("base64url");
    return name === info ? `${name},,` : `${name},sha256=${hash},${content.length}`;
  });
  expect(lines).toEqual(expected);
  expect(files["screen_capture_client/py.typed"]).toHaveLength(0);
  const metadata = strFromU8(files[info.replace("RECORD", "METADATA")] ?? new Uint8Array());
  expect(metadata).toMatch(/^Metadata-Version: 2\.1\nName: screen-capture-client\nVersion: \d/);
});

describe("client packages: the name of a wheel", () => {
  test.each([
    ["1.2.0", "screen_capture_client-1.2.0-py3-none-any.whl"],
    ["1.2.0-rc.1", "screen_capture_client-1.2.0rc1-py3-none-any.whl"],
    ["1.2.0-alpha.3", "screen_capture_client-1.2.0a3-py3-none-any.whl"],
  ])("of %s is %s", (version, name) => {
    expect(wheelName(version)).toBe(name);
  });

  test("of a version that Python doesn't know is none", () => {
    expect(() => wheelName("1.2.0-next")).toThrow("Python has no version like 1.2.0-next.");
  });
});

test("client packages: the documentation names the wheel of this version", () => {
  const project = join(import.meta.dirname, "../..");
  for (const page of ["README.md", "docs/guide/python.md"]) {
    expect(readFileSync(join(project, page), "utf8")).toContain(`pip install http://127.0.0.1:3000${WHEEL_PATH}`);
  }
});
