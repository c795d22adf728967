// The type of a bomb: a page, or options alone, that would exhaust a browser, and how its capture may end.
import type { ErrorCode } from "../../../../lib/errors/error-kinds.ts";
import type { Page } from "../page.ts";

export type Outcome = "captured" | ErrorCode;

export interface Bomb {
  /** Contents of the body of its page, or what answers the page. A bomb without it has its source in `options`. */
  readonly page?: string | Page;
  /** Options of the capture beside its source. */
  readonly options?: Readonly<Record<string, unknown>> & { readonly timeout?: number };
  /** Every way it may end. Without `captured` among them, the page must not have become a picture. */
  readonly ends: readonly Outcome[];
}

/** Bombs by what they do: their names follow the words "a page with". */
export type Bombs = Readonly<Record<string, Bomb>>;

/** It stands still for ever: there is no picture of it. */
export const never = ["CAPTURE_TIMEOUT"] as const satisfies readonly Outcome[];
/** It is harmless, and there is a picture, unless the machine is too slow. */
export const harmless = ["captured", "CAPTURE_TIMEOUT"] as const satisfies readonly Outcome[];
/** It takes what it can get until it is stopped. */
export const stopped = ["TARGET_TOO_LARGE", "CAPTURE_TIMEOUT"] as const satisfies readonly Outcome[];
/** It is stopped by the limit that it goes beyond, long before its time is up. */
export const tooLarge = ["TARGET_TOO_LARGE"] as const satisfies readonly Outcome[];
/** It takes much, which a fast machine has in time. */
export const heavy = ["captured", ...stopped] as const satisfies readonly Outcome[];

/** A script that a page or worker loads from a `blob:` address. */
export const inBlob = (source: string) =>
  `URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: "text/javascript" }))`;
