// What a deployment must be able to do. Each check is one story of a customer, and resolves to what it saw.
import { setTimeout as sleep } from "node:timers/promises";
import { type LogEntry, waitForEntries } from "./capture-log.ts";
import { NotTried, requireStatus, type SmokeClient, SmokeFailure, type SmokeResponse } from "./smoke-client.ts";

export interface SmokeCheck {
  readonly name: string;
  /** Runs only with `--full`: it takes minutes, or transfers much. */
  readonly isSlow?: boolean;
  readonly run: (client: SmokeClient) => Promise<string>;
}

const page = "<body style='background: #0a7'><h1>Smoke test</h1>";
const small = { html: page, viewport_width: 320, viewport_height: 200 };

/** Captures at once, to start sandboxes. */
const COLD_CAPTURES = 4;
/** Lambda's own limit for an initialization is 10 s. */
const MAX_COLD_START_MS = 20_000;

export const smokeChecks: readonly SmokeCheck[] = [
  {
    name: "health",
    run: async (client) => {
      const response = await client.getWithoutKey("/health");
      requireStatus(response, 200);
      const { captures } = response.json() as { captures?: { status?: string } };
      if (captures?.status === "failing") throw new SmokeFailure("The canary's last capture failed.");
      return `captures: ${captures?.status}`;
    },
  },
  {
    name: "status page",
    run: async (client) => {
      const response = await client.getWithoutKey("/status.json");
      if (response.status === 404) throw new NotTried("the canary has not run yet");
      requireStatus(response, 200);
      const { status, checked_at } = response.json() as { status?: string; checked_at?: string };
      return `${status}, checked at ${checked_at}`;
    },
  },
  {
    name: "a request without a key is refused",
    run: async (client) => {
      const response = await client.getWithoutKey("/api/v1/account");
      requireStatus(response, 401);
      const { headers } = response; // API Gateway renames the header
      const challenge = headers.get("www-authenticate") ?? headers.get("x-amzn-remapped-www-authenticate");
      if (challenge === null) throw new SmokeFailure("The response has no challenge (WWW-Authenticate).");
      return challenge;
    },
  },
  {
    name: "cold start",
    run: async (client) => {
      // More at once than sandboxes are warm, as a rule.
      const timed = async () => {
        const startedAt = performance.now();
        const response = await client.capture(small);
        requireStatus(response, 200);
        return { response, ms: performance.now() - startedAt };
      };
      const captures = await Promise.all(Array.from({ length: COLD_CAPTURES }, timed));
      const slowestMs = Math.max(...captures.map(({ ms }) => ms));
      if (slowestMs > MAX_COLD_START_MS) throw new SmokeFailure(`A small capture took ${inSeconds(slowestMs)}.`);
      if (!client.log) return `the slowest of ${COLD_CAPTURES} captures at once took ${inSeconds(slowestMs)}`;
      const withLogs = captures.map(async ({ response, ms }) => {
        const { metrics } = await logOf(client, response);
        return { ms, isCold: metrics["ColdStarts"] === 1 };
      });
      const cold = (await Promise.all(withLogs)).filter(({ isCold }) => isCold).map(({ ms }) => ms);
      return cold.length === 0
        ? `none among ${COLD_CAPTURES} captures at once, the slowest of which took ${inSeconds(slowestMs)}`
        : `${cold.length} of ${COLD_CAPTURES} captures at once, ${inSeconds(Math.max(...cold))}`;
    },
  },
  { name: "PNG", run: (client) => captureOf(client, small, "image/png", "\x89PNG") },
  {
    name: "log of a capture",
    run: async (client) => {
      const response = await client.capture(small);
      requireStatus(response, 200);
      const { request, metrics } = await logOf(client, response);
      if (request["status"] !== 200) throw new SmokeFailure(`Its entry is ${JSON.stringify(request)}.`);
      return `${request["path"]}, status ${request["status"]}; its metrics: ${metrics["format"]}, ${metrics["CaptureTime"]} ms`;
    },
  },
  {
    name: "metric of captures in CloudWatch",
    isSlow: true,
    run: async ({ log }) => {
      if (!log?.metricSum) throw new NotTried("the service is on this machine, or only its address is known");
      const until = Date.now() + log.waitMs;
      for (;;) {
        const captures = await log.metricSum("Captures");
        if (captures > 0) return `${captures} in the last half hour`;
        if (Date.now() >= until) throw new SmokeFailure("CloudWatch has no data of it: alarms would not see anything.");
        await sleep(5_000);
      }
    },
  },
  { name: "PDF", run: (client) => captureOf(client, { html: page, format: "pdf" }, "application/pdf", "%PDF-") },
  {
    name: "video",
    run: (client) => captureOf(client, { ...small, format: "mp4", video_duration: 1 }, "video/mp4", "ftyp"),
  },
  {
    name: "link to a stored result",
    run: async (client) => {
      const url = await storedLink(client);
      requireStatus(await client.getWithoutKey(url), 200);
      return "the link answers";
    },
  },
  {
    name: "link to a stored result after 61 seconds",
    isSlow: true,
    run: async (client) => {
      const url = await storedLink(client);
      await sleep(61_000);
      requireStatus(await client.getWithoutKey(url), 200);
      return "the link answers";
    },
  },
  {
    name: "cache",
    run: async (client) => {
      const options = { ...small, cache_ttl: 600, html: `${page}${Date.now()}` };
      const answers: string[] = [];
      for (const _ of [1, 2]) {
        const response = await client.capture(options);
        requireStatus(response, 200);
        answers.push(response.headers.get("x-cache") ?? "none");
      }
      if (answers[1] !== "HIT")
        throw new SmokeFailure(`The second capture was not from the cache: ${answers.join(", ")}.`);
      return answers.join(", then ");
    },
  },
  {
    name: "asynchronous capture",
    run: async (client) => {
      const state = await endOfJob(client, { ...small, async: true });
      if (state["status"] !== "success") throw new SmokeFailure(`It ended as ${JSON.stringify(state)}.`);
      return `${state["response_time_ms"]} ms`;
    },
  },
  {
    name: "webhook of an asynchronous capture",
    run: async (client) => {
      if (client.baseUrl.startsWith("https://")) {
        const { http_status_code: status } = await webhookDelivery(client, `${client.baseUrl}/health`);
        if (status === null) throw new SmokeFailure("It was sent, but the service's own address did not answer.");
        return `sent, and answered with ${status}`;
      }
      // Webhooks go to public https addresses only: an attempt that finds no such host shows that they are sent.
      const { error } = await webhookDelivery(client, "https://smoke-test.invalid/");
      return `sent to a host that does not exist: ${error}`;
    },
  },
  {
    name: "bulk of three",
    run: async (client) => {
      const requests = [1, 2, 3].map((count) => ({ ...small, html: `${page}${count}` }));
      const response = await client.post("/api/v1/bulk", { requests });
      requireStatus(response, 200, 202);
      return `status ${response.status}`;
    },
  },
  {
    name: "an address of the cloud's own network is refused",
    run: async (client) => {
      const response = await client.capture({ url: "http://169.254.169.254/latest/meta-data/" });
      if (response.status < 400) throw new SmokeFailure("The page was captured.");
      return String(response.json()["code"]);
    },
  },
  {
    name: "a page with 1,000 workers ends with an error that names the limit",
    run: async (client) => {
      const script = "for (let i = 0; i < 1000; i++) new Worker(URL.createObjectURL(new Blob(['for(;;);'])))";
      const response = await client.capture({ html: `<script>${script}</script>`, timeout: 90, delay: 5 });
      return namedLimit({ status: response.status, json: () => response.json() }, "workers");
    },
  },
  {
    name: "the next capture after that one",
    run: (client) => captureOf(client, small, "image/png", "\x89PNG"),
  },
  {
    name: "twelve bulk requests at once",
    isSlow: true,
    run: async (client) => {
      const requests = [1, 2, 3].map((count) => ({ ...small, html: `${page}${count}` }));
      const responses = await Promise.all(Array.from({ length: 12 }, () => client.post("/api/v1/bulk", { requests })));
      for (const response of responses) requireStatus(response, 200, 202);
      return responses.map(({ status }) => status).join(" ");
    },
  },
  {
    name: "a result of 100 MB",
    isSlow: true,
    run: async (client) => {
      const noise =
        "const c=document.querySelector('canvas'),x=c.getContext('2d'),d=x.createImageData(c.width,64);" +
        "for(let y=0;y<c.height;y+=64){for(let o=0;o<d.data.length;o+=65536)crypto.getRandomValues(d.data.subarray(o,o+65536));" +
        "for(let a=3;a<d.data.length;a+=4)d.data[a]=255;x.putImageData(d,0,y)}";
      const html = `<body style="margin:0"><canvas width=5000 height=7000></canvas><script>${noise}</script>`;
      const response = await client.capture({ html, viewport_width: 5000, full_page: true, timeout: 60 });
      requireStatus(response, 200);
      if (response.body.length < 100_000_000) throw new SmokeFailure(`It has only ${response.body.length} bytes.`);
      return `${Math.round(response.body.length / 1e6)} MB`;
    },
  },
];

/** Captures, and looks for the type of the result in its header and its first bytes. */
async function captureOf(client: SmokeClient, options: object, type: string, signature: string): Promise<string> {
  const response = await client.capture({ ...options });
  requireStatus(response, 200);
  const { headers, body } = response;
  const isOfType = headers.get("content-type") === type && body.toString("latin1", 0, 16).includes(signature);
  if (!isOfType) throw new SmokeFailure(`The result is ${headers.get("content-type")} of ${body.length} bytes.`);
  return `${body.length} bytes`;
}

async function storedLink(client: SmokeClient): Promise<string> {
  const response = await client.capture({ ...small, response_type: "json" });
  requireStatus(response, 200);
  const url = Object.values(response.json()).find((value) => typeof value === "string" && value.includes("/storage/"));
  if (typeof url !== "string") throw new SmokeFailure(`The response has no link: ${preview(response)}.`);
  return url;
}

async function endOfJob(client: SmokeClient, options: object): Promise<Record<string, unknown>> {
  const accepted = await client.capture({ ...options });
  requireStatus(accepted, 202);
  const { request_id: id } = accepted.json();
  const until = Date.now() + client.jobWaitMs;
  for (;;) {
    const response = await client.get(`/api/v1/screenshot/${id}`);
    requireStatus(response, 200);
    const state = response.json();
    if (state["status"] === "success" || state["status"] === "failed") return state;
    if (Date.now() > until)
      throw new SmokeFailure(`It is still ${state["status"]} after ${client.jobWaitMs / 1000} s.`);
    await sleep(500);
  }
}

interface SmokeDelivery {
  readonly http_status_code: number | null;
  readonly error: string | null;
}

/**
 * The first attempt to deliver a webhook, from the state of its capture. The receiver need not take it: that there was an
 * attempt shows that the webhook was sent.
 */
async function webhookDelivery(client: SmokeClient, webhook_url: string): Promise<SmokeDelivery> {
  const accepted = await client.capture({ ...small, async: true, webhook_url });
  requireStatus(accepted, 202);
  const until = Date.now() + client.jobWaitMs;
  for (;;) {
    const response = await client.get(`/api/v1/screenshot/${accepted.json()["request_id"]}`);
    requireStatus(response, 200);
    const { status, webhook } = response.json();
    const [delivery] = (webhook as { deliveries?: readonly SmokeDelivery[] } | undefined)?.deliveries ?? [];
    if (delivery) return delivery;
    if (status === "failed") throw new SmokeFailure("The capture failed.");
    if (Date.now() > until) throw new SmokeFailure(`It was not sent after ${client.jobWaitMs / 1000} s.`);
    await sleep(500);
  }
}

/** The entry about the request itself, and that of its metrics, in the log of a request. */
function findEntries(entries: readonly LogEntry[]): { request?: LogEntry; metrics?: LogEntry } {
  const events = entries.map(({ message }) => message as LogEntry | undefined);
  const request = events.find((event) => event?.["event"] === "request");
  const metrics = entries.find(({ _aws, Captures }) => _aws !== undefined && Captures !== undefined);
  return { ...(request && { request }), ...(metrics && { metrics }) };
}

/** The entries of a capture that has been answered. Throws `NotTried` where there is no log, and `SmokeFailure` when one is missing. */
async function logOf(
  client: SmokeClient,
  { headers }: SmokeResponse,
): Promise<{ request: LogEntry; metrics: LogEntry }> {
  const { log } = client;
  if (!log) throw new NotTried("the logs of this service are not known by its address alone");
  const isComplete = (entries: readonly LogEntry[]) => Object.keys(findEntries(entries)).length === 2;
  const { request, metrics } = findEntries(await waitForEntries(log, headers.get("x-request-id") ?? "", isComplete));
  const after = `after ${Math.round(log.waitMs / 1000)} s`;
  if (!request) throw new SmokeFailure(`The log has no entry 'request' of the capture ${after}.`);
  if (!metrics) throw new SmokeFailure(`The log has no metrics of the capture ${after}.`);
  return { request, metrics };
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function preview({ body }: SmokeResponse): string {
  return body.toString().slice(0, 300);
}

/** The error code and the limit that the error of a page names. Throws `SmokeFailure` for a capture, and for another error. */
export function namedLimit({ status, json }: Pick<SmokeResponse, "status" | "json">, limit: string): string {
  if (status < 400) throw new SmokeFailure("The page was captured.");
  const { code, details } = json() as { code?: string; details?: { limit?: readonly string[] } };
  if (!details?.limit?.includes(limit))
    throw new SmokeFailure(`The error is ${code}, which doesn't name the limit '${limit}'.`);
  return `${code}: ${limit}`;
}
