// Conditional writes of S3, which the engine accepts and doesn't judge: a PUT with `If-None-Match: *` must not overwrite an object.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
import { once } from "node:events";
import { type IncomingMessage, request as sendRequest } from "node:http";
import type { Refusal } from "./refusal.ts";

export interface ConditionalWrite extends Disposable {
  /** Why S3 refuses it; undefined for one that may go on. */
  readonly refusal: Refusal | undefined;
}

export class ConditionalWrites {
  /** Paths of the objects that are being written. */
  readonly #running = new Set<string>();

  /** Judges a request before it is sent to the engine. Dispose it when the engine has answered. Undefined without a condition. */
  async start(
    { method, url = "", headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
    engine: string,
  ): Promise<ConditionalWrite | undefined> {
    const [path = "", query = ""] = url.split("?");
    const isWrite = method === "PUT" || (method === "POST" && /(?:^|&)uploadId=/.test(query));
    if (!isWrite || headers["if-none-match"] !== "*") return undefined;
    if (this.#running.has(path)) return { refusal: { kind: "conflict" }, [Symbol.dispose]: () => undefined };
    this.#running.add(path);
    const end = () => void this.#running.delete(path);
    try {
      const isTaken = await exists(engine, path);
      return { refusal: isTaken ? { kind: "exists" } : undefined, [Symbol.dispose]: end };
    } catch (error) {
      end();
      throw error;
    }
  }
}

async function exists(engine: string, path: string): Promise<boolean> {
  const sent = sendRequest(`${engine}${path}`, { method: "HEAD" });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode === 200;
}
