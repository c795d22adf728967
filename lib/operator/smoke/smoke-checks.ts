// What a deployment must be able to do. Each check is one story of a customer, and resolves to what it saw.
import { setTimeout as sleep } from "node:timers/promises";
import { requireStatus, type SmokeClient, SmokeFailure, type SmokeResponse } from "./smoke-client.ts";

export interface SmokeCheck {
  readonly name: string;
  /** Runs only with `--full`: it takes minutes, or transfers much. */
  readonly isSlow?: boolean;
  readonly run: (client: SmokeClient) => Promise<string>;
}

const page = "<body style='background: #0a7'><h1>Smoke test</h1>";
const small = { html: page, viewport_width: 320, viewport_height: 200 };

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
  { name: "PNG", run: (client) => captureOf(client, small, "image/png", "\x89PNG") },
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
      // Webhooks go to public https addresses only.
      if (!client.baseUrl.startsWith("https://")) return "not tried: the service has no https address";
      return webhookAttempt(client);
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
      const response = await client.capture({ html: `<script>${script}</script>`, timeout: 30, delay: 5 });
      if (response.status < 400) throw new SmokeFailure("The page was captured.");
      return String(response.json()["code"]);
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
    name: "a result of many megabytes",
    isSlow: true,
    run: async (client) => {
      const noise =
        "const c=document.querySelector('canvas'),x=c.getContext('2d'),d=x.createImageData(c.width,64);" +
        "for(let y=0;y<c.height;y+=64){for(let o=0;o<d.data.length;o+=65536)crypto.getRandomValues(d.data.subarray(o,o+65536));" +
        "for(let a=3;a<d.data.length;a+=4)d.data[a]=255;x.putImageData(d,0,y)}";
      const html = `<body style="margin:0"><canvas width=5000 height=6000></canvas><script>${noise}</script>`;
      const response = await client.capture({ html, viewport_width: 5000, viewport_height: 6000, timeout: 60 });
      requireStatus(response, 200);
      if (response.body.length < 50_000_000) throw new SmokeFailure(`It has only ${response.body.length} bytes.`);
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

/**
 * The service itself is the receiver, which refuses what it gets: an attempt with a status in the state of the capture shows that
 * the webhook was sent.
 */
async function webhookAttempt(client: SmokeClient): Promise<string> {
  const accepted = await client.capture({ ...small, async: true, webhook_url: `${client.baseUrl}/health` });
  requireStatus(accepted, 202);
  const until = Date.now() + client.jobWaitMs;
  for (;;) {
    const response = await client.get(`/api/v1/screenshot/${accepted.json()["request_id"]}`);
    requireStatus(response, 200);
    const { deliveries = [] } = (response.json()["webhook"] ?? {}) as {
      deliveries?: readonly { http_status_code: number | null }[];
    };
    const status = deliveries[0]?.http_status_code ?? undefined;
    if (status !== undefined) return `sent, and answered with ${status}`;
    if (Date.now() > until) throw new SmokeFailure(`It was not sent after ${client.jobWaitMs / 1000} s.`);
    await sleep(500);
  }
}

function preview({ body }: SmokeResponse): string {
  return body.toString().slice(0, 300);
}
