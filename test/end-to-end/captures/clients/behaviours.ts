// What the client of every language does: one list, of which the documentation has the titles.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { signatureHeaders } from "../../../../lib/service/webhooks/signature.ts";
import type { Client } from "../../../support/client.ts";
import { errorBody, startScriptedService } from "../../../support/scripted-service.ts";
import type { Driver, DriverAnswer, DriverError } from "./driver.ts";

export interface Trial {
  readonly driver: Driver;
  /** An account of this language. */
  readonly account: Client;
  /** Starts the driver with other variables of the environment. */
  startWith(environment: Readonly<Record<string, string>>): Driver;
}

export interface Behaviour {
  /** A sentence whose subject is the client. */
  readonly title: string;
  run(trial: Trial): Promise<void>;
}

const PAGE = { html: "<h1>Grüße</h1>", viewport_width: 200, viewport_height: 100 };
/** A page whose picture can't be compressed. */
const NOISE = {
  html: `<body style="margin:0"><canvas id="c" width="600" height="600"></canvas><script>
    const context = c.getContext("2d"), image = context.createImageData(600, 600), words = new Uint32Array(image.data.buffer);
    for (let i = 0, seed = 1; i < words.length; i++) {
      seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5; words[i] = seed | 0xff000000;
    }
    context.putImageData(image, 0, 0);</script>`,
  viewport_width: 600,
  viewport_height: 600,
};
/** A page that never answers. */
const neverEnding = () => ({ url: `${inject("service").receiver}/to/silence?answers=none` });
const failing = () => ({ url: `${inject("service").site}/status/404` });

/** The value of an answer. Throws the error of another one. */
async function resultOf(answer: Promise<DriverAnswer>) {
  const { value, error } = await answer;
  if (error) throw new Error(JSON.stringify(error));
  return value;
}

/** The error of an answer; throws for a value. */
async function errorOf(answer: Promise<DriverAnswer>): Promise<DriverError> {
  const { value, error } = await answer;
  if (!error) throw new Error(`Succeeded with ${JSON.stringify(value)}.`);
  return error;
}

/** Settings of a client of the running service; those of another service with its address. */
const settings = ({ account: { key, keyId, signingSecret } }: Trial, baseUrl = inject("service").baseUrl) => ({
  key,
  base_url: baseUrl,
  key_id: keyId,
  signing_secret: signingSecret,
});

/** Calls the running service. */
const ask = (trial: Trial, call: string, more: object = {}) =>
  trial.driver.call({ call, client: settings(trial), ...more });

/** Calls a service that the test scripts, with the key `cap_x`. */
const askAt = (trial: Trial, baseUrl: string, call: string, more: object = {}) =>
  trial.driver.call({ call, client: { key: "cap_x", base_url: baseUrl }, ...more });

const newFolder = () => mkdtempSync(join(tmpdir(), "client-behaviour-"));

const body = JSON.stringify({ type: "capture.succeeded", data: { request_id: 7, external_identifier: "Größe 日本" } });

function signedWebhook(secrets: readonly string[], { ageS = 0 } = {}) {
  const timestamp = Math.floor(Date.now() / 1000) - ageS;
  const headers = signatureHeaders({ id: "capture_7", timestamp, body }, secrets);
  return { headers: { "Webhook-Id": "capture_7", "WEBHOOK-TIMESTAMP": String(timestamp), ...headers }, body };
}

const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`;

export const behaviours: readonly Behaviour[] = [
  {
    title: "Returns the bytes of a capture, its media type, and its request number",
    async run(trial) {
      const capture = await resultOf(ask(trial, "capture", { options: PAGE }));
      expect(capture).toMatchObject({ mime_type: "image/png", from_cache: false, problems: [] });
      expect(capture.size).toBeGreaterThan(100);
      expect(capture.sha256).toMatch(/^[\da-f]{64}$/);
      expect((await (await trial.account.get(`/api/v1/usage/${capture.request_id}`)).json()).status).toBe("success");
    },
  },
  {
    title: "Returns documents as text with all of their characters",
    async run(trial) {
      const capture = await resultOf(ask(trial, "capture", { options: { ...PAGE, format: "markdown" } }));
      expect(capture).toMatchObject({ text: "# Grüße\n", mime_type: expect.stringContaining("text/markdown") });
    },
  },
  {
    title: "Writes a result to a file piece by piece, which is complete or as it was before",
    async run(trial) {
      const folder = newFolder();
      const path = join(folder, "page.png");
      const written = await resultOf(ask(trial, "capture_to_file", { options: NOISE, path }));
      expect([written.mime_type, readdirSync(folder)]).toEqual(["image/png", ["page.png"]]);
      const content = readFileSync(path);
      expect(content.subarray(1, 4).toString()).toBe("PNG");
      expect(content.length).toBeGreaterThan(1_000_000);
      writeFileSync(path, "before");
      const refused = await errorOf(ask(trial, "capture_to_file", { options: failing(), path }));
      expect([refused.code, readFileSync(path, "utf8")]).toEqual(["TARGET_HTTP_ERROR", "before"]);
      const cut = await startScriptedService([200, "half", { "Content-Length": "100" }], [200, "whole"]);
      await resultOf(askAt(trial, cut.baseUrl, "capture_to_file", { options: PAGE, path }));
      expect([cut.received.length, readFileSync(path, "utf8"), readdirSync(folder)]).toEqual([
        2,
        "whole",
        ["page.png"],
      ]);
    },
  },
  {
    title: "Says when a result comes from the cache",
    async run(trial) {
      const options = { ...PAGE, cache: true, html: `<p>${randomBytes(8).toString("hex")}</p>` };
      const captures = [
        await resultOf(ask(trial, "capture", { options })),
        await resultOf(ask(trial, "capture", { options })),
      ];
      expect(captures.map(({ from_cache: fromCache }) => fromCache)).toEqual([false, true]);
    },
  },
  {
    title: "Names what looks wrong in a result",
    async run(trial) {
      const options = { html: "<h1>Page not found</h1><p>Sorry, it is not here.</p>", format: "text" };
      const capture = await resultOf(ask(trial, "capture", { options }));
      expect(capture).toMatchObject({ problems: ["ERROR_PAGE"], quality: 20 });
    },
  },
  {
    title: "Stores a result and returns its link",
    async run(trial) {
      const stored = await resultOf(ask(trial, "store", { options: PAGE }));
      const response = await fetch(stored.url);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    },
  },
  {
    title: "Stores several outputs of a page and names the one that failed",
    async run(trial) {
      const outputs = [{ name: "shot" }, { name: "none", selector: "#missing" }];
      const { outputs: stored } = await resultOf(ask(trial, "store_outputs", { options: { ...PAGE, outputs } }));
      expect(stored[0]).toMatchObject({ name: "shot", width: 200, height: 100 });
      expect(stored[1]).toMatchObject({ name: "none", error: { code: "SELECTOR_NOT_FOUND" } });
    },
  },
  {
    title: "Checks a request without a capture",
    async run(trial) {
      const checked = await resultOf(ask(trial, "validate", { options: PAGE }));
      expect(checked.options).toMatchObject({ viewport_width: 200, format: "png" });
    },
  },
  {
    title: "Queues a capture and waits for its result",
    async run(trial) {
      const accepted = await resultOf(ask(trial, "enqueue", { options: { ...PAGE, external_identifier: "7" } }));
      const finished = await resultOf(ask(trial, "wait", { id: accepted.request_id }));
      expect(finished).toMatchObject({ request_id: accepted.request_id, status: "success", external_identifier: "7" });
      const [listed] = await resultOf(ask(trial, "jobs", { options: { external_identifier: "7" }, limit: 1 }));
      expect(listed.request_id).toBe(accepted.request_id);
      await resultOf(ask(trial, "delete_result", { id: accepted.request_id }));
      const state = await resultOf(ask(trial, "get", { id: accepted.request_id }));
      expect(state.unavailable_reason).toBe("deleted");
    },
  },
  {
    title: "Fails with the error of an asynchronous capture",
    async run(trial) {
      const accepted = await resultOf(ask(trial, "enqueue", { options: failing() }));
      const error = await errorOf(ask(trial, "wait", { id: accepted.request_id }));
      expect(error).toMatchObject({ kind: "api", code: "TARGET_HTTP_ERROR", target: { http_status_code: 404 } });
    },
  },
  {
    title: "Waits no longer than the time limit, and cancels a capture",
    async run(trial) {
      const { request_id: id } = await resultOf(ask(trial, "enqueue", { options: neverEnding() }));
      expect((await errorOf(ask(trial, "wait", { id, timeout: 0.2 }))).kind).toBe("timeout");
      expect(await resultOf(ask(trial, "cancel", { id }))).toMatchObject({
        status: "failed",
        error: { code: "CANCELLED" },
      });
    },
  },
  {
    title: "Captures in bulk and keeps the order",
    async run(trial) {
      const requests = [{ html: "<p>A" }, failing(), { html: "<p>B", format: "text" }];
      const captures = await resultOf(ask(trial, "bulk", { options: { options: { viewport_width: 200 }, requests } }));
      expect(captures.map((each: { mime_type?: string; status: string }) => each.mime_type ?? each.status)).toEqual([
        "image/png",
        "failed",
        expect.stringContaining("text/plain"),
      ]);
    },
  },
  {
    title: "Makes a signed link without a request, which shows the capture without a key",
    async run(trial) {
      const url = `${inject("service").site}/box`;
      const options = { url, hide_selectors: ["#a b~*", "#ä"], headers: { "X-A": "1" }, dark_mode: true };
      const link = (await resultOf(ask(trial, "link", { options, expires_in: 3600 }))).url;
      const response = await fetch(link);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(link).not.toContain(trial.account.key);
    },
  },
  {
    title: "Refuses a link that ends after 366 days, and one without its secret",
    async run(trial) {
      const late = await errorOf(ask(trial, "link", { options: PAGE, expires_in: 367 * 86_400 }));
      expect(late).toMatchObject({ kind: "usage", message: expect.stringContaining("366 days") });
      const unsigned = await errorOf(askAt(trial, inject("service").baseUrl, "link", { options: PAGE }));
      expect(unsigned.kind).toBe("usage");
    },
  },
  {
    title: "Returns the event of a webhook that one of its secrets has signed, with header names in any case",
    async run(trial) {
      const { signingSecret } = trial.account;
      for (const secrets of [[signingSecret], [newSecret(), signingSecret]]) {
        expect(await resultOf(ask(trial, "verify_webhook", signedWebhook(secrets)))).toMatchObject(JSON.parse(body));
      }
      const options = { webhook_url: `${inject("service").receiver}/to/clients` };
      const { request } = await resultOf(ask(trial, "test_webhook", { options }));
      expect((await resultOf(ask(trial, "verify_webhook", request))).type).toBe("test");
    },
  },
  {
    title: "Refuses a webhook with a changed body, another secret, or an old time",
    async run(trial) {
      const { signingSecret } = trial.account;
      const signed = signedWebhook([signingSecret]);
      const refused = [
        { ...signed, body: `${body} ` },
        signedWebhook([newSecret()]),
        signedWebhook([signingSecret], { ageS: 400 }),
        signedWebhook([signingSecret], { ageS: -400 }),
        { headers: {}, body },
      ];
      for (const webhook of refused) {
        expect((await errorOf(ask(trial, "verify_webhook", webhook))).kind).toBe("webhook");
      }
    },
  },
  {
    title: "Iterates over the captures of an account, one page of the list after the other",
    async run(trial) {
      const all = await resultOf(ask(trial, "captures", { options: { per_page: 100 } }));
      const paged = await resultOf(ask(trial, "captures", { options: { per_page: 3 } }));
      const ids = (logs: readonly { id: number }[]) => logs.map(({ id }) => id);
      expect(ids(paged)).toEqual(ids(all));
      expect(new Set(ids(paged)).size).toBeGreaterThan(6);
      expect(await resultOf(ask(trial, "captures", { options: { per_page: 3 }, limit: 4 }))).toHaveLength(4);
    },
  },
  {
    title: "Reads the account, its days, and one capture, and exports captures",
    async run(trial) {
      expect((await resultOf(ask(trial, "account"))).plan).toBe("max");
      const from = new Date(Date.now() - 95 * 86_400_000).toISOString().slice(0, 10); // more days than one request covers
      const [today, ...days] = await resultOf(ask(trial, "usage", { options: { from } }));
      expect([days.length, days.at(-1).date]).toEqual([95, from]);
      expect(today.success).toBeGreaterThan(3);
      const [log] = await resultOf(ask(trial, "search", { options: { format: "png" }, limit: 1 }));
      expect((await resultOf(ask(trial, "details", { id: log.id }))).format).toBe("png");
      const { text } = await resultOf(ask(trial, "export_captures", { options: { output: "ndjson" } }));
      expect(
        text
          .trim()
          .split("\n")
          .map((line: string) => JSON.parse(line).id),
      ).toContain(log.id);
    },
  },
  {
    title: "Creates, changes, rotates, and revokes API keys",
    async run(trial) {
      const created = await resultOf(ask(trial, "keys.create", { options: { label: "Website", scopes: ["capture"] } }));
      const id = created.id;
      const changed = await resultOf(ask(trial, "keys.change", { id, options: { label: "Shop" } }));
      const rotated = await resultOf(ask(trial, "keys.rotate", { id }));
      const revoked = await resultOf(ask(trial, "keys.revoke", { id }));
      expect([changed.label, rotated.key === created.key, typeof revoked.revoked_at]).toEqual([
        "Shop",
        false,
        "string",
      ]);
      const listed = await resultOf(ask(trial, "keys.list"));
      expect(listed.map((key: { id: number }) => key.id)).toContain(id);
    },
  },
  {
    title: "Creates, pauses, resumes, and deletes webhook receivers",
    async run(trial) {
      const options = { name: "Orders", url: `${inject("service").receiver}/to/clients` };
      const { id } = await resultOf(ask(trial, "receivers.create", { options }));
      const states = [
        await resultOf(ask(trial, "receivers.pause", { id })),
        await resultOf(ask(trial, "receivers.resume", { id })),
      ];
      expect(states.map(({ status }) => status)).toEqual(["paused", "active"]);
      await resultOf(ask(trial, "receivers.delete", { id }));
      expect((await errorOf(ask(trial, "receivers.get", { id }))).code).toBe("NOT_FOUND");
    },
  },
  {
    title: "Reports an error of the API with its code, status, details, request number, and documentation",
    async run(trial) {
      const error = await errorOf(ask(trial, "capture", { options: { ...PAGE, viewport_width: 1 } }));
      expect(error).toMatchObject({ kind: "api", code: "VALIDATION_ERROR", status: 422, retryable: false });
      expect(Object.keys(error.details as object)).toEqual(["viewport_width"]);
      expect(error.docs).toBe(`${inject("service").baseUrl}/docs/errors#VALIDATION_ERROR`);
      expect(String(error.request_id)).toMatch(/^\d+$/);
    },
  },
  {
    title: "Reports an error whose code it doesn't know, and ignores fields that it doesn't know",
    async run(trial) {
      const service = await startScriptedService(
        [418, errorBody("TEAPOT", { lid: "open" })],
        [200, { plan: "max", colour: "red" }],
      );
      const error = await errorOf(askAt(trial, service.baseUrl, "account"));
      expect(error).toMatchObject({ kind: "api", code: "TEAPOT", status: 418, message: "It failed." });
      expect(await resultOf(askAt(trial, service.baseUrl, "account"))).toMatchObject({ plan: "max" });
    },
  },
  {
    title: "Reports a service that can't be reached, and a response that isn't the service's",
    async run(trial) {
      const down = await errorOf(askAt(trial, "http://127.0.0.1:9", "account", { retries: 0 }));
      expect(down).toMatchObject({ kind: "connection", message: expect.stringContaining("http://127.0.0.1:9") });
      const proxy = await startScriptedService([403, "<h1>Forbidden</h1>"]);
      const foreign = await errorOf(askAt(trial, proxy.baseUrl, "account"));
      expect(foreign).toMatchObject({ kind: "connection", message: expect.stringContaining("403") });
    },
  },
  {
    title: "Retries when Retry-After says so, and not before",
    async run(trial) {
      const limited = errorBody("RATE_LIMITED", { retryable: true });
      const { baseUrl, received } = await startScriptedService(
        [429, limited, { "Retry-After": "1" }],
        [200, { plan: "max" }],
      );
      expect(await resultOf(askAt(trial, baseUrl, "account"))).toMatchObject({ plan: "max" });
      const [first, second] = received;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
    },
  },
  {
    title: "Retries a lost response with the same Idempotency-Key, so that it captures once",
    async run(trial) {
      const { baseUrl, received } = await startScriptedService(
        [0, ""],
        [502, "<h1>Bad gateway</h1>"],
        [200, { request_id: 1 }],
      );
      await resultOf(askAt(trial, baseUrl, "enqueue", { options: PAGE }));
      const names = received.map(({ headers }) => headers["idempotency-key"]);
      expect([names.length, new Set(names).size]).toEqual([3, 1]);
      expect(names[0]).toMatch(/^[\w-]{16,}$/);
      await resultOf(askAt(trial, baseUrl, "enqueue", { options: PAGE, idempotency_key: "order-7" }));
      expect(received.at(-1)?.headers["idempotency-key"]).toBe("order-7");
    },
  },
  {
    title: "Retries no error that would happen again, and no page that was too slow",
    async run(trial) {
      for (const code of ["NOT_FOUND", "VALIDATION_ERROR", "CAPTURE_TIMEOUT"]) {
        const { baseUrl, received } = await startScriptedService([422, errorBody(code)]);
        expect((await errorOf(askAt(trial, baseUrl, "capture", { options: PAGE }))).code).toBe(code);
        expect(received).toHaveLength(1);
      }
    },
  },
  {
    title: "Makes as many retries as the call allows",
    async run(trial) {
      for (const retries of [0, 1]) {
        const { baseUrl, received } = await startScriptedService([0, ""]);
        expect((await errorOf(askAt(trial, baseUrl, "account", { retries }))).kind).toBe("connection");
        expect(received).toHaveLength(retries + 1);
      }
    },
  },
  {
    title: "Ends with the time limit of the call, and waits for no retry that doesn't fit into it",
    async run(trial) {
      const limited = errorBody("RATE_LIMITED", { retryable: true });
      const { baseUrl, received } = await startScriptedService([429, limited, { "Retry-After": "60" }]);
      const error = await errorOf(askAt(trial, baseUrl, "account", { timeout: 5 }));
      expect([error.code, received.length]).toEqual(["RATE_LIMITED", 1]);
      const silent = await errorOf(ask(trial, "capture", { options: neverEnding(), timeout: 0.5 }));
      expect(silent.kind).toBe("timeout");
    },
  },
  {
    title: "Reads the key and the address from the environment, and names what is missing or wrong",
    async run(trial) {
      const variables = { SCREEN_CAPTURE_KEY: trial.account.key, SCREEN_CAPTURE_URL: inject("service").baseUrl };
      const configured = trial.startWith(variables);
      expect((await resultOf(configured.call({ call: "account", client: {} }))).plan).toBe("max");
      const wrong: readonly (readonly [client: object, message: RegExp])[] = [
        [{}, /SCREEN_CAPTURE_URL/],
        [{ base_url: "captures.example" }, /https:\/\/api\.example\.com/],
        [{ base_url: "http://127.0.0.1:9" }, /SCREEN_CAPTURE_KEY/],
        [{ base_url: "http://127.0.0.1:9", key: "cap_secret with spaces" }, /cap_…/],
      ];
      for (const [client, message] of wrong) {
        const error = await errorOf(trial.driver.call({ call: "account", client }));
        expect(error).toMatchObject({ kind: "usage", message: expect.stringMatching(message) });
        expect(error.message).not.toContain("cap_secret");
      }
    },
  },
  {
    title: "Sends the key in a header to the service alone, and never shows it",
    async run(trial) {
      const other = await startScriptedService([200, { plan: "max" }]);
      const service = await startScriptedService([302, "", { Location: `${other.baseUrl}/api/v1/account` }]);
      const answer = await askAt(trial, service.baseUrl, "account", { retries: 0 });
      const [{ path, headers } = { path: "", headers: {} as Record<string, string> }] = service.received;
      expect([path, headers["authorization"]]).toEqual(["/api/v1/account", "Bearer cap_x"]);
      expect(other.received.map((each) => each.headers.authorization)).toEqual(other.received.map(() => undefined));
      expect(JSON.stringify(answer)).not.toContain("cap_x");
      const refused = await errorOf(
        trial.driver.call({ call: "account", client: { key: "cap_secret", base_url: inject("service").baseUrl } }),
      );
      expect([refused.code, JSON.stringify(refused).includes("cap_secret")]).toEqual(["UNAUTHORIZED", false]);
    },
  },
];
