// Requests from other addresses of the loopback network. Limits by network hold for each of them alone, so test files that run at the
// same time don't use up one another's.
import { randomInt } from "node:crypto";
import { request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";

/** Returns a random address of this machine, so that its network (a /24) is hardly that of another test. Fixed ones begin with 127.0. */
export const anotherNetwork = (): string => `127.${randomInt(1, 255)}.${randomInt(0, 256)}.1`;

interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Sends an HTTP request as `fetch` does, from `localAddress`, such as `127.0.0.9`. */
export function fetchFrom(
  localAddress: string,
  url: string,
  { method, headers, body }: SentRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, localAddress }, (response) => {
      const answered = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const status = response.statusCode ?? 0;
      buffer(response).then(
        (content) => resolve(new Response(content.length === 0 ? null : content, { status, headers: answered })),
        reject,
      );
    });
    sent.once("error", reject).end(body ?? undefined);
  });
}
