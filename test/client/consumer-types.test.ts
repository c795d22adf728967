// The types of the client as the projects of its users compile them, under each module setting.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientPackage, installClient } from "../support/client-package.ts";
import { sampled } from "../support/slow-run.ts";

const program = `
import { type CaptureOptions, type OutputsOptions, ScreenCapture, type WebhookEvent, verifyWebhook } from "screen-capture-client";

const client = new ScreenCapture();
const url = "https://example.com";
const options: CaptureOptions = { url, format: "webp" };
const fromHtml: CaptureOptions = { html: "<p>", full_page: true, cookies: ["a=1"] };
const several: OutputsOptions = { url, outputs: [{ name: "a" }, { name: "b", format: "pdf" }] };

export async function use(): Promise<void> {
  for (const each of [options, fromHtml]) {
    await client.capture(each);
    await client.store(each, { timeoutMs: 1 });
    await client.validate(each);
    await client.link(each);
    const finished = await client.wait(await client.enqueue(each));
    const link: string = finished.url;
    await client.storeOutputs({ ...each, outputs: [{ name: link }, { name: "b" }] });
    await client.bulk({ requests: [each], options: { full_page: true } });
    await client.capture({ ...each, timeout: 5 });
  }
  await client.storeOutputs(several);
}

export function handle(event: WebhookEvent): string {
  if (event.type === "capture.succeeded") {
    const link: string = event.data.url;
    const status: "success" = event.data.status;
    return link + status;
  }
  if (event.type === "capture.failed") return event.data.error.code;
  const message: string = event.data.message;
  return message;
}

export async function receive(headers: Headers, body: string): Promise<number | undefined> {
  const { data } = await verifyWebhook(headers, body, { signingSecret: "whsec_" });
  return data.request_id;
}

// @ts-expect-error: nothing to capture
const nothing: CaptureOptions = { full_page: true };
// @ts-expect-error: the method decides
const asynchronous: CaptureOptions = { url, async: true };
// @ts-expect-error: a misspelled option
const misspelled: CaptureOptions = { url, fullpage: true };
export { asynchronous, misspelled, nothing };
`;

const strict = {
  target: "es2022",
  lib: ["es2022", "dom"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  noEmit: true,
};

let root: string;
let installed: ClientPackage;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "consumer-types-test-"));
  installed = await installClient(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

sampled(test, 3).each([
  ["nodenext, as an ES module", "mts", { module: "nodenext", exactOptionalPropertyTypes: true }],
  ["bundler", "ts", { module: "esnext", moduleResolution: "bundler", exactOptionalPropertyTypes: true }],
  ["preserve", "ts", { module: "preserve", exactOptionalPropertyTypes: false }],
  ["nodenext, as CommonJS", "cts", { module: "nodenext" }],
  ["not strict", "ts", { module: "preserve", strict: false }],
])("client types: options, results, and events fit under %s", async (name, extension, settings) => {
  const folder = join(installed.folder, name.replaceAll(/\W+/g, "-"));
  mkdirSync(folder);
  writeFileSync(join(folder, `program.${extension}`), program);
  const compilerOptions = { ...strict, ...settings };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*"] }));
  const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
  const compiled = promisify(execFile)(process.execPath, [tsc, "--project", folder]);
  await expect(compiled.catch(({ stdout }) => stdout)).resolves.toMatchObject({ stdout: "" });
});
