// The gate between the local functions and the engines: a proxy that judges every call by the role of the function that signed
// it, and answers as AWS does where the role, or a policy of the resource, does not allow it.
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen, refuseForeignHosts, stopListening } from "../loopback.ts";
import { type Authority, type DeniedCall, isJudged, judgeCall } from "./authorize.ts";
import { ConditionalWrites } from "./conditional-writes.ts";
import type { CredentialStore } from "./credentials.ts";
import type { Permissions } from "./permissions.ts";
import { type AwsService, type Refusal, refuse } from "./refusal.ts";
import { readSignature, type Signature } from "./signature.ts";

export interface GateOptions {
  readonly credentials: CredentialStore;
  /** Addresses of the engines, without a trailing slash. What has none is refused after it was judged. */
  readonly engines: Readonly<Partial<Record<AwsService, string>>>;
  readonly permissions: () => Permissions;
  onDenied(call: DeniedCall): void;
}

export interface Gate {
  /** The address of every service, without a trailing slash: the signature of a call names the service. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Resolves when it listens, on a free port of loopback. */
export async function startGate(options: GateOptions): Promise<Gate> {
  const agent = new Agent({ keepAlive: true });
  const writes = new ConditionalWrites();
  const server = createServer((request, response) => {
    handle(request, response, { ...options, agent, writes }).catch(() => response.destroy());
  });
  refuseForeignHosts(server);
  server.keepAliveTimeout = 60_000; // longer than functions keep an idle connection
  const endpoint = `http://${await listen(server)}`;
  return {
    endpoint,
    async close() {
      await stopListening(server);
      agent.destroy();
    },
  };
}

interface Handling extends GateOptions {
  readonly agent: Agent;
  readonly writes: ConditionalWrites;
}

async function handle(request: IncomingMessage, response: ServerResponse, options: Handling): Promise<void> {
  const { method = "", url = "", headers } = request;
  const signature = readSignature(request);
  const service = serviceOf(request, signature);
  const body = needsBody(request, service) ? await buffer(request) : undefined;
  const answer = (refusal: Refusal) => {
    request.resume();
    refuse(response, isJudged(service) ? service : "lambda", refusal);
  };
  let absence: Refusal | undefined;
  // A browser signs no preflight request, which S3 answers by the rules of the bucket.
  if (method !== "OPTIONS") {
    const authority: Authority = { credentials: options.credentials, permissions: options.permissions() };
    const verdict = judgeCall({ method, url, headers, body: body ?? Buffer.alloc(0) }, signature, authority);
    if (verdict.denied) options.onDenied(verdict.denied);
    if (verdict.refusal) return answer(verdict.refusal);
    absence = verdict.absence;
  }
  const engine = isJudged(service) ? options.engines[service] : undefined;
  if (engine === undefined) return answer({ kind: "no-engine" });
  using write = service === "s3" ? await options.writes.start(request, engine) : undefined;
  if (write?.refusal) return answer(write.refusal);
  const upstream = await send(request, response, { agent: options.agent, engine, body });
  if (upstream.statusCode === 404 && absence) {
    upstream.resume();
    return answer(absence);
  }
  response.writeHead(upstream.statusCode ?? 502, upstream.headers);
  upstream.pipe(response);
  upstream.on("error", () => response.destroy());
}

/** By its name in signatures. Of requests without one, only S3 takes some. */
function serviceOf({ headers }: IncomingMessage, signature: Signature | undefined): string {
  if (signature) return signature.scope[2];
  const target = String(headers["x-amz-target"] ?? "");
  return target.startsWith("DynamoDB") ? "dynamodb" : target.startsWith("AmazonSQS") ? "sqs" : "s3";
}

/** Objects are streamed; all other bodies are small, and say what the call is. */
function needsBody({ method, url = "" }: IncomingMessage, service: string): boolean {
  return service !== "s3" || (method === "POST" && /[?&]delete\b/.test(url));
}

interface Destination {
  readonly agent: Agent;
  readonly engine: string;
  /** Undefined for a body that has not been read. */
  readonly body: Buffer | undefined;
}

/** Sends a request to an engine; resolves to its response. Ends with the caller's connection. */
async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, engine, body }: Destination,
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(engine);
  const { method = "GET", url: path = "/", headers } = request;
  const sent = sendRequest({ agent, hostname, port, method, path, headers });
  response.on("close", () => {
    if (!response.writableFinished) sent.destroy();
  });
  if (body) sent.end(body);
  else request.pipe(sent);
  const [upstream] = (await once(sent, "response")) as [IncomingMessage];
  return upstream;
}
