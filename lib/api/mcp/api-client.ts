// Calls the API of this service over HTTP with the caller's key, so limits, quotas, logs, and errors are the API's own.
import { redactKeys } from "../../accounts/api-key.ts";
import type { ErrorBody } from "../../errors/error-response.ts";

export interface ApiClient {
  /** A JSON response of the API. Throws `ToolError` for any other. `path` starts with a slash. */
  readonly call: (path: string, body?: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
  /** The bytes of a stored result, by its signed link, which needs no key. */
  readonly download: (link: string) => Promise<Buffer>;
}

/** An error whose message tells a model what failed and how to fix it. */
export class ToolError extends Error {}

export function createApiClient(baseUrl: string, key: string): ApiClient {
  return {
    call: async (path, body) => {
      const response = await fetch(`${baseUrl}${path}`, {
        method: body ? "POST" : "GET",
        headers: { Authorization: `Bearer ${key}`, ...(body && { "Content-Type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        redirect: "error",
      });
      const answer = await response.json().catch(() => ({}));
      if (!response.ok) throw new ToolError(describeError(answer, response));
      return answer;
    },
    download: async (link) => {
      if (!link.startsWith(`${baseUrl}/storage/`))
        throw new ToolError("The result is in your own storage. Read it there.");
      const response = await fetch(link);
      if (!response.ok) throw new ToolError(`The stored result can't be read: status ${response.status}. Try again.`);
      return Buffer.from(await response.arrayBuffer());
    },
  };
}

/** An error of the API in words. Its `target` is left out but for status and network error: the rest is text of the page. */
function describeError(
  { error, code, details, retryable, target, docs }: Partial<ErrorBody>,
  response: Response,
): string {
  const after = response.headers.get("retry-after");
  const parts = [
    `${code ?? `HTTP ${response.status}`}: ${error ?? "The service gave no reason."}`,
    details && `Details: ${JSON.stringify(details)}`,
    target?.http_status_code && `The page responded with status ${target.http_status_code}.`,
    target?.net_error && `Network error: ${target.net_error}.`,
    retryable && `The same call can succeed later${after ? `: try again in ${after} s` : ""}.`,
    docs && `See ${docs}`,
  ];
  return redactKeys(parts.filter(Boolean).join("\n"));
}
