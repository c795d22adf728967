// A code that was sent by e-mail, kept for the tab: to whom and when, never the code.
import { useState } from "preact/hooks";
import { readStoredJson, store } from "../shared/storage.ts";

export interface SentCode {
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** As long as a code is valid. */
const KEPT_MS = 10 * 60 * 1000;

/** The code that was sent last, under a name for which it is kept; without a name it is not. */
export function useSentCode(name: string | undefined): [SentCode | undefined, (sent: SentCode | undefined) => void] {
  const key = name === undefined ? undefined : `sent-code-${name}`;
  const [sent, setSent] = useState(() => (key === undefined ? undefined : readSent(key)));
  const change = (next: SentCode | undefined) => {
    setSent(next);
    if (key !== undefined) store("sessionStorage", key, next && JSON.stringify(next));
  };
  return [sent, change];
}

function readSent(key: string): SentCode | undefined {
  const { email, sentAt = 0 } = (readStoredJson("sessionStorage", key) ?? {}) as Partial<SentCode>;
  return typeof email === "string" && sentAt > Date.now() - KEPT_MS ? { email, sentAt } : undefined;
}
