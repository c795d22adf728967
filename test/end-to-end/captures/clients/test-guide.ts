// Runs the programs of a client's guide as they stand, but for the addresses of the pages that they capture.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { signatureHeaders } from "../../../../lib/service/webhooks/signature.ts";
import { listen, stopListening } from "../../../../lib/tools/local/loopback.ts";
import { type Client, openClient } from "../../../support/client.ts";
import { codeBlocks } from "../../../support/documentation.ts";
import { skipWithout } from "../../../support/runtimes.ts";

interface TestedGuide {
  readonly language: string;
  /** What this machine lacks to run the programs; undefined if nothing. */
  readonly missing: string | undefined;
  readonly samples: readonly string[];
  /** Compiles the programs in the folder, and resolves to the command that runs each one. */
  readonly compile: (folder: string, samples: readonly string[]) => Promise<readonly (readonly string[])[]>;
}

/** The programs of a guide, in order. */
export function guideSamples(language: string): string[] {
  const path = `docs/guide/${language}.md`;
  const page = { path, text: readFileSync(join(import.meta.dirname, "../../../..", path), "utf8") };
  return codeBlocks(page).flatMap((block) => (block.language === language ? [block.code] : []));
}

/** Declares the tests: a program that reads PORT is a receiver of webhooks, and all others end by themselves. */
export function testGuide({ language, missing, samples, compile }: TestedGuide): void {
  describe(`${language} guide`, () => {
    const started: ChildProcess[] = [];
    let folder: string;
    let commands: readonly (readonly string[])[];
    let account: Client;

    beforeAll(async () => {
      if (missing !== undefined) return;
      folder = mkdtempSync(join(tmpdir(), "guide-"));
      account = await openClient();
      commands = await compile(folder, samples.map(here));
    });
    afterAll(() => {
      for (const child of started) child.kill("SIGKILL");
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    const start = (index: number, environment: Readonly<Record<string, string>> = {}) => {
      const [program = "", ...args] = commands[index] ?? [];
      const { key, keyId, signingSecret } = account;
      const settings = { SCREEN_CAPTURE_URL: inject("service").baseUrl, SCREEN_CAPTURE_KEY: key };
      const signing = { KEY_ID: String(keyId), SIGNING_SECRET: signingSecret };
      const env = { ...process.env, ...settings, ...signing, ...environment };
      const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
      started.push(child);
      return child;
    };

    test.for(samples.map((code, index) => [index + 1, code] as const))(
      "program %i runs as it stands",
      async ([number, code], context) => {
        skipWithout(missing === undefined, context, `the ${language} guide`, missing ?? "");
        if (code.includes('"PORT"')) return receivesWebhooks((environment) => start(number - 1, environment), account);
        const child = start(number - 1);
        const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
        expect([complaints, output.length > 0]).toEqual(["", true]);
      },
    );
  });
}

/** The program answers a webhook with 204, and one that another secret has signed with 400. */
async function receivesWebhooks(
  start: (environment: Readonly<Record<string, string>>) => ChildProcess,
  { signingSecret }: Client,
): Promise<void> {
  const port = await freePort();
  start({ PORT: port });
  const body = JSON.stringify({ type: "capture.succeeded", data: { request_id: 7, status: "success" } });
  const send = async (secret: string) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = signatureHeaders({ id: "a", timestamp, body }, [secret]);
    const headers = { "webhook-id": "a", "webhook-timestamp": String(timestamp), ...signature };
    return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", headers, body })).status;
  };
  await vi.waitFor(async () => expect(await send(signingSecret)).toBe(204), { timeout: 10_000, interval: 100 });
  expect(await send("whsec_b3RoZXI=")).toBe(400);
}

async function freePort(): Promise<string> {
  const server = createServer();
  const [, port = ""] = (await listen(server)).split(":");
  await stopListening(server);
  return port;
}

/** A program with the pages of this run in place of the documentation's. */
function here(code: string): string {
  return code.replaceAll("https://example.com", `${inject("service").site}/box`);
}
