// The session cookie: host-only, invisible to scripts, and not sent with requests that other sites start.
// https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a session lasts after its last use, in milliseconds. */
const MAX_IDLE_MS = 30 * DAY_MS;
/** How long a session lasts after it began, however often it is used, in milliseconds. */
export const MAX_SESSION_MS = 90 * DAY_MS;

/** When a session ends that is used at `now`; all in milliseconds since 1970. */
export function sessionExpiry({ created_at }: { readonly created_at: number }, now: number): number {
  return Math.min(now + MAX_IDLE_MS, created_at + MAX_SESSION_MS);
}

/**
 * Returns the name of the cookie. The prefix `__Host-` makes browsers refuse a cookie from another host, but it requires
 * `Secure`, which not all browsers accept on an http address.
 */
function cookieName(name: CookieName, baseUrl: string): string {
  return isSecure(baseUrl) ? `__Host-${name}` : name;
}

/**
 * `session` has the token of the session, `sign-in` the secret of a browser that requested a code, and `known-browser` the proof
 * that it has signed in to an address before. `operator` and `operator-sign-in` are the first two of an operator.
 */
export type CookieName = "session" | "sign-in" | "known-browser" | OperatorCookieName;
type OperatorCookieName = "operator" | "operator-sign-in";

/** Links of other sites lead to pages of the dashboard, whose cookies come with them; no request of another site has those of an operator. */
const sameSite = (name: CookieName) => (name.startsWith("operator") ? "Strict" : "Lax");

/**
 * Returns the value of a cookie in `Cookie` headers. Undefined when there is none, or when there are several, of which
 * another host may have set one.
 */
export function readCookie(cookieHeaders: readonly string[], name: CookieName, baseUrl: string): string | undefined {
  const [value, ...others] = cookieValues(cookieHeaders, name, baseUrl);
  return others.length === 0 ? value : undefined;
}

/** True when `Cookie` headers have a cookie of this name, also where `readCookie` trusts none. */
export function hasCookie(cookieHeaders: readonly string[], name: CookieName, baseUrl: string): boolean {
  return cookieValues(cookieHeaders, name, baseUrl).length > 0;
}

function cookieValues(cookieHeaders: readonly string[], name: CookieName, baseUrl: string): string[] {
  const prefix = `${cookieName(name, baseUrl)}=`;
  const pairs = cookieHeaders.flatMap((header) => header.split(";")).map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
}

/** Returns the `Set-Cookie` header that stores a session token. The browser forgets it after the longest time without use. */
export function sessionCookie(token: string, baseUrl: string): string {
  return cookie("session", { value: token, maxAgeMs: MAX_IDLE_MS, baseUrl });
}

/** Returns the `Set-Cookie` header that removes the session cookie. */
export function expiredSessionCookie(baseUrl: string): string {
  return cookie("session", { value: "", maxAgeMs: 0, baseUrl });
}

/** Returns a `Set-Cookie` header. `Path=/`, because `__Host-` requires it. */
export function cookie(
  name: CookieName,
  { value, maxAgeMs, baseUrl }: { readonly value: string; readonly maxAgeMs: number; readonly baseUrl: string },
): string {
  const secure = isSecure(baseUrl) ? "; Secure" : "";
  const pair = `${cookieName(name, baseUrl)}=${value}`;
  return `${pair}; Path=/; Max-Age=${maxAgeMs / 1000}; HttpOnly; SameSite=${sameSite(name)}${secure}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith("https:");
}
