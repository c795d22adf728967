// Calls the API of this service over HTTP with the caller's key, so limits, quotas, logs, and errors are the API's own.
import { makePictures } from "./make-pictures.ts";
import type { ModelPictures, PictureRequest } from "./picture-limits.ts";
import { apiToolError, ToolError } from "./tool-error.ts";

/** The function ends 10 seconds later; a capture takes at most 120 seconds. */
const TIMEOUT_MS = 140_000;

export interface ApiClient {
  /** A JSON response of the API. Throws `ToolError` for any other. `path` starts with a slash. */
  readonly call: (path: string, body?: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
  /** The bytes of a stored result, by its signed link, which needs no key. */
  readonly download: (link: string) => Promise<Buffer>;
  /** Pictures for a model of a stored image, by its signed link. Throws `NoPicture` where it can't be shown. */
  readonly pictures: (link: string, request: PictureRequest) => Promise<ModelPictures>;
}

export function createApiClient(baseUrl: string, key: string): ApiClient {
  const download = async (link: string) => {
    const response = await send(link);
    if (!response.ok) throw new ToolError(`The stored result can't be read: status ${response.status}. Try again.`);
    return Buffer.from(await response.arrayBuffer());
  };
  return {
    call: async (path, body) => {
      const response = await send(`${baseUrl}${path}`, {
        method: body ? "POST" : "GET",
        headers: {
          Authorization: `Bearer ${key}`,
          "User-Agent": "screen-capture-mcp",
          ...(body && { "Content-Type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: "error",
      });
      const answer = await response.json().catch(() => ({}));
      if (response.ok) return answer;
      throw apiToolError(answer, { status: response.status, retryAfter: response.headers.get("retry-after") });
    },
    download,
    pictures: (link, request) => makePictures(link, request, { key, download }),
  };
}

/** Why the API refuses a key; undefined for a key that it knows, also one without a scope or over its limit. */
export async function keyRefusal(baseUrl: string, key: string): Promise<string | undefined> {
  const headers = { Authorization: `Bearer ${key}`, "User-Agent": "screen-capture-mcp" };
  const response = await send(`${baseUrl}/api/v1/account`, { headers, redirect: "error" });
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  return response.status === 401 ? (error ?? "The API key is not valid.") : undefined;
}

async function send(url: string, request?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    if ((error as Error).name !== "TimeoutError") throw error;
    throw new ToolError(
      `The service didn't answer within ${TIMEOUT_MS / 1000} s. Use start_capture, which doesn't wait, and get_capture.`,
    );
  }
}
