// Redirects to results that a response does not carry.
import type { ApiResponse } from "./response.ts";

export interface RedirectParts {
  readonly status: 302 | 303;
  readonly location: string;
  readonly sizeBytes: number;
  /** For how long the location is valid, as the end of a sentence: `for 60 seconds`. */
  readonly validity: string;
  /** What a client can do, as sentences. */
  readonly advice: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body is for programs that do not follow redirects, such as `curl` without `-L`: they would save an empty file. */
export function redirectResponse({
  status,
  location,
  sizeBytes,
  validity,
  advice,
  headers,
}: RedirectParts): ApiResponse {
  const lines = [
    `This is not the result. It has ${sizeBytes} bytes and is at the address below, ${validity}.`,
    advice,
    location,
  ];
  return {
    status,
    headers: {
      ...headers,
      Location: location,
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
    },
    body: `${lines.join("\n")}\n`,
  };
}
