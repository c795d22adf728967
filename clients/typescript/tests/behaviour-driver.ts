// Calls the client as each line of stdin says, and answers with a line of JSON: for tests of what the clients of all languages do.
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import {
  ApiError,
  type CaptureInfo,
  ConnectionError,
  ScreenCapture,
  TimeoutError,
  WebhookVerificationError,
} from "../src/index.ts";

/** A call, with the arguments of the method that it names. */
interface Line {
  readonly call: string;
  readonly client: {
    readonly key?: string;
    readonly base_url?: string;
    readonly key_id?: number;
    readonly signing_secret?: string;
  };
  readonly timeout?: number;
  readonly retries?: number;
  readonly idempotency_key?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the options of a call are what the test sends.
  readonly options?: any;
  // biome-ignore lint/suspicious/noExplicitAny: a number for captures and keys, a text for receivers.
  readonly id?: any;
  readonly path?: string;
  readonly limit?: number;
  readonly expires_in?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function run({ call, client: settings, options = {}, id, ...line }: Line): Promise<unknown> {
  const { key, base_url: baseUrl, key_id: keyId, signing_secret: signingSecret } = settings;
  const client = new ScreenCapture({
    ...(key !== undefined && { key }),
    ...(baseUrl !== undefined && { baseUrl }),
    keyId,
    signingSecret,
  });
  const { timeout, retries, idempotency_key: idempotencyKey, expires_in: expiresInS } = line;
  const settingsOfCall = {
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
    ...(retries !== undefined && { retries }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const list = async <T>(items: AsyncGenerator<T>) => {
    const listed: T[] = [];
    if (line.limit === 0) return listed;
    for await (const item of items) if (listed.push(item) === line.limit) break;
    return listed;
  };
  const methods: Readonly<Record<string, () => unknown>> = {
    capture: async () => {
      const capture = await client.capture(options, settingsOfCall);
      const { bytes } = capture;
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { ...infoOf(capture), size: bytes.length, sha256, text: capture.text() };
    },
    capture_to_file: async () => infoOf(await client.captureToFile(options, line.path ?? "", settingsOfCall)),
    store: () => client.store(options, settingsOfCall),
    store_outputs: () => client.storeOutputs(options, settingsOfCall),
    validate: () => client.validate(options, settingsOfCall),
    enqueue: () => client.enqueue(options, settingsOfCall),
    get: () => client.get(id, settingsOfCall),
    wait: () => client.wait(id, settingsOfCall),
    cancel: () => client.cancel(id, settingsOfCall),
    delete_result: () => client.deleteResult(id, settingsOfCall),
    bulk: () => client.bulk(options, settingsOfCall),
    account: () => client.account(settingsOfCall),
    statistics: () => client.statistics(options, settingsOfCall),
    details: () => client.details(id, settingsOfCall),
    test_webhook: () => client.testWebhook(options, settingsOfCall),
    export_captures: async () => ({ text: await client.exportCaptures(options, settingsOfCall) }),
    link: async () => ({ url: await client.link(options, expiresInS === undefined ? {} : { expiresInS }) }),
    verify_webhook: () => client.verifyWebhook(line.headers ?? {}, line.body ?? ""),
    captures: () => list(client.captures(options, settingsOfCall)),
    jobs: () => list(client.jobs(options, settingsOfCall)),
    search: () => list(client.search(options, settingsOfCall)),
    usage: () => list(client.usage(options, settingsOfCall)),
    "keys.list": () => client.keys.list(settingsOfCall),
    "keys.create": () => client.keys.create(options, settingsOfCall),
    "keys.get": () => client.keys.get(id, settingsOfCall),
    "keys.change": () => client.keys.change(id, options, settingsOfCall),
    "keys.rotate": () => client.keys.rotate(id, settingsOfCall),
    "keys.revoke": () => client.keys.revoke(id, settingsOfCall),
    "receivers.list": () => client.receivers.list(settingsOfCall),
    "receivers.create": () => client.receivers.create(options, settingsOfCall),
    "receivers.get": () => client.receivers.get(id, settingsOfCall),
    "receivers.change": () => client.receivers.change(id, options, settingsOfCall),
    "receivers.pause": () => client.receivers.pause(id, settingsOfCall),
    "receivers.resume": () => client.receivers.resume(id, settingsOfCall),
    "receivers.test": () => client.receivers.test(id, settingsOfCall),
    "receivers.delete": () => client.receivers.delete(id, settingsOfCall),
  };
  const method = methods[call];
  if (!method) throw new Error(`The driver has no call ${call}.`);
  return method();
}

function infoOf(info: CaptureInfo) {
  return {
    mime_type: info.mimeType,
    from_cache: info.fromCache,
    final_url: info.finalUrl,
    warnings: info.warnings,
    problems: info.problems,
    quality: info.quality,
    request_id: info.requestId,
  };
}

function describeError(error: unknown): object {
  const { name, message } = error as Error;
  const kinds = [
    [WebhookVerificationError, "webhook"],
    [ConnectionError, "connection"],
    [TimeoutError, "timeout"],
  ] as const;
  if (!(error instanceof ApiError)) {
    return { class: name, kind: kinds.find(([Kind]) => error instanceof Kind)?.[1] ?? "usage", message };
  }
  const { code, status, retryable, requestId: request_id, details, target, docs } = error;
  return { class: name, kind: "api", message, code, status, retryable, request_id, details, target, docs };
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer: object;
  try {
    answer = { value: (await run(JSON.parse(line))) ?? null };
  } catch (error) {
    answer = { error: describeError(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
