// What a page orders of the fake renderer, in a comment of its HTML: `<!-- fake: {"error":"SELECTOR_NOT_FOUND","afterMs":300} -->`.
import type { ErrorCode } from "../../../lib/contract/errors/error-kinds.ts";
import type { Problem } from "../../../lib/contract/problems/problem.ts";

export interface FakeInstructions {
  /** The error with which each output fails. */
  readonly error?: ErrorCode;
  readonly message?: string;
  /** Problems of the result, or of the error. */
  readonly problems?: readonly Problem[];
  /** Milliseconds that the rendering takes. */
  readonly afterMs?: number;
  /** An address: the rendering waits until it has responded. */
  readonly gate?: string;
}

/** The comment that orders this. */
export const fakePage = (instructions: FakeInstructions): string => `<!-- fake: ${JSON.stringify(instructions)} -->`;

/** The instructions in a page; empty without a comment. */
export function readInstructions(source: string): FakeInstructions {
  const [, json] = /<!-- fake: (\{.*?\}) -->/s.exec(source) ?? [];
  return json === undefined ? {} : JSON.parse(json);
}
