// Where a visitor goes back to after signing in: a path of the dashboard, which the address of the sign-in page keeps, and for a link
// that is opened in another tab also the browser.
import { readStoredJson, store } from "../shared/storage.ts";

const STORED = "return-path";
/** As long as a link to sign in works, twice. */
const KEPT_MS = 30 * 60 * 1000;

/** Names of screens and ids, which no host, scheme, or step upwards can be written with. */
const SCREEN = /^[a-z][a-z-]*(\/\w+)*$/;
/** Pages that are no use to who has just signed in. */
const WITHOUT_SESSION = ["sign-in", "undo-address", "not-me", "deleted"];

/**
 * Returns a path below /app with its query, such as `captures?status=failed`, if that is what a text is; otherwise the empty path of the
 * overview. It leads to no other page, regardless of who wrote the text.
 */
export function returnPath(text: string): string {
  const [path = "", ...query] = text.split("?");
  if (!SCREEN.test(path) || WITHOUT_SESSION.includes(path)) return "";
  const parameters = new URLSearchParams(query.join("?"));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** The path of the sign-in page that leads back to a path. */
export function signInPath(path: string): string {
  const back = returnPath(path);
  return back === "" ? "sign-in" : `sign-in?${new URLSearchParams({ to: back })}`;
}

/** Remembers a path for a link that is opened in this browser at `now` (milliseconds since 1970) or soon after. */
export function rememberReturn(path: string, now: number): void {
  store("localStorage", STORED, path === "" ? undefined : JSON.stringify({ path, until: now + KEPT_MS }));
}

/** The path that was remembered last; the empty one without one. */
export function rememberedReturn(now: number): string {
  const { path, until } = (readStoredJson("localStorage", STORED) ?? {}) as { path?: unknown; until?: number };
  return typeof path === "string" && Number(until) > now ? returnPath(path) : "";
}
