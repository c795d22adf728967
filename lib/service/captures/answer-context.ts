// What the response to captures is made of, apart from their results.

import type { RequestedOutputs } from "./parse.ts";

/** The origin of links to results, and the secret that signs them. */
export interface LinkSigning {
  readonly baseUrl: string;
  readonly secret: () => Promise<string>;
}

export interface AnswerContext extends Pick<RequestedOutputs, "responseType"> {
  readonly requestId: number;
  /** Monotonic time in milliseconds at which the request started. */
  readonly startedAt: number;
  /** The value of the header `Server-Timing`. */
  readonly serverTiming: () => string;
  /** The bucket with the stored results. */
  readonly bucket: string;
  readonly links: LinkSigning;
  /** When the signed link of the request expires, in milliseconds since 1970; undefined without one. */
  readonly linkExpiresAt: number | undefined;
}
