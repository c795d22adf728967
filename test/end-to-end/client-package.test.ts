// The package of the typed client as it is published: its form, its size, and its use in each Node.js and in a browser.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { build } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { captureWith } from "../support/chromium.ts";
import { openClient } from "../support/client.ts";
import { type ClientPackage, installClient, supportedNodes } from "../support/client-package.ts";
import { sample, slowTest } from "../support/slow-run.ts";

const { baseUrl, site } = inject("service");
const nodes = await supportedNodes();
const MAX_COMPRESSED_BYTES = 8 * 1024;

let root: string;
let installed: ClientPackage;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "client-package-test-"));
  installed = await installClient(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Code that uses the package, with the package, as one minified module for browsers. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: installed.folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

describe("client package: the tarball", () => {
  test("has no problem that publint knows", async () => {
    const { buffer } = new Uint8Array(readFileSync(installed.tarball));
    expect((await publint({ pack: { tarball: buffer }, strict: true })).messages).toEqual([]);
  });

  test("has types that every import finds, as an ES module", async () => {
    const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(installed.tarball)));
    const { problems = [] } = (await checkPackage(tarball)) as { problems?: { kind: string }[] };
    // Node.js loads ES modules by `require` since 20.19, which this check doesn't know.
    expect(problems.filter(({ kind }) => kind !== "CJSResolvesToESM")).toEqual([]);
  });

  test("needs no other package", () => {
    const manifest = JSON.parse(
      readFileSync(join(installed.folder, "node_modules/screen-capture-client/package.json"), "utf8"),
    );
    expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
  });

  test("adds at most 8 KB to a page, compressed", async () => {
    expect(gzipSync(await bundle('export * from "screen-capture-client"')).length).toBeLessThanOrEqual(
      MAX_COMPRESSED_BYTES,
    );
  });
});

/** Uses the client as a program does; prints what it got. */
const program = `
import { ScreenCapture, TargetHttpError, verifyWebhook } from "screen-capture-client";
const { KEY: key, KEY_ID, SIGNING_SECRET: signingSecret, BASE_URL: baseUrl, SITE } = process.env;
const client = new ScreenCapture({ key, baseUrl, keyId: Number(KEY_ID), signingSecret });
const page = { url: SITE + "/box", viewport_width: 200, viewport_height: 100 };
const { bytes, mimeType } = await client.capture(page);
const stored = await client.store(page);
const finished = await client.wait(await client.enqueue(page));
const [first] = await client.bulk({ requests: [page] });
const link = await fetch(await client.link(page));
const failure = await client.capture({ url: SITE + "/status/404" }).catch((error) => error);
const logs = [];
for await (const log of client.captures()) logs.push(log);
const forged = await verifyWebhook({ "webhook-timestamp": String(Date.now() / 1000) }, "{}", { signingSecret }).catch((error) => error.name);
console.log(JSON.stringify({
  mimeType, isPng: bytes[1] === 0x50, stored: stored.mime_type, finished: finished.status, bulk: first.status, link: link.status,
  failure: [failure instanceof TargetHttpError, failure.code, failure.name], logs: logs.length, forged,
}));
`;

test.each(sample([...nodes], nodes.size))("client package: works under Node.js %i", async (_major, node) => {
  const { key, keyId, signingSecret } = await openClient();
  writeFileSync(join(installed.folder, "program.mjs"), program);
  const { stdout } = await promisify(execFile)(node, ["program.mjs"], {
    cwd: installed.folder,
    env: { KEY: key, KEY_ID: String(keyId), SIGNING_SECRET: signingSecret, BASE_URL: baseUrl, SITE: site },
  });
  expect(JSON.parse(stdout)).toEqual({
    mimeType: "image/png",
    isPng: true,
    stored: "image/png",
    finished: "success",
    bulk: "success",
    link: 200,
    failure: [true, "TARGET_HTTP_ERROR", "TargetHttpError"],
    logs: 6,
    forged: "WebhookVerificationError",
  });
});

slowTest("client package: works in a browser, across origins", async () => {
  const { key, keyId, signingSecret } = await openClient();
  const script = await bundle(`
    import { ScreenCapture } from "screen-capture-client";
    const client = new ScreenCapture(${JSON.stringify({ key, baseUrl, keyId, signingSecret })});
    const show = async (work) => document.body.append((await work().catch((error) => error.message)) + "; ");
    await show(async () => (await client.capture({ url: "${site}/box" })).mimeType);
    await show(async () => (await client.wait(await client.enqueue({ url: "${site}/box" }))).status);
    await show(async () => (await fetch(await client.link({ url: "${site}/box" }))).status);
    await show(() => client.capture({ url: "${site}/box", viewport_width: 1 }));
    document.body.append("end");
  `);
  const { body } = await captureWith(
    {
      html: `<body><script type="module">${script.replaceAll("</script", "<\\/script")}</script>`,
      base_url: "http://127.0.0.1:1/",
      format: "text",
      wait_for_expression: "document.body.innerText.endsWith('end')",
    },
    { allow: [new URL(baseUrl).host] },
  );
  expect(body.toString()).toMatch(/^image\/png; success; 200; Option 'viewport_width' must be .*; end$/);
});
