// The session cookie: host-only, invisible to scripts, and not sent with requests that other sites start.
// https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis

/** How long a session lasts after its last use, in milliseconds. */
export const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns the name of the cookie. The prefix `__Host-` makes browsers refuse a cookie from another host, but it requires
 * `Secure`, which not all browsers accept on an http address.
 */
export function sessionCookieName(baseUrl: string): string {
  return isSecure(baseUrl) ? "__Host-session" : "session";
}

/**
 * Returns the value of the session cookie in `Cookie` headers. Undefined when there is none, or when there are several, of
 * which another host may have set one.
 */
export function readSessionCookie(cookieHeaders: readonly string[], baseUrl: string): string | undefined {
  const prefix = `${sessionCookieName(baseUrl)}=`;
  const pairs = cookieHeaders.flatMap((header) => header.split(";")).map((pair) => pair.trim());
  const [value, ...others] = pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
  return others.length === 0 ? value : undefined;
}

/** Returns the `Set-Cookie` header that stores a session token. */
export function sessionCookie(token: string, baseUrl: string): string {
  return cookie(sessionCookieName(baseUrl), token, SESSION_LIFETIME_MS / 1000, baseUrl);
}

/** Returns the `Set-Cookie` header that removes the session cookie. */
export function expiredSessionCookie(baseUrl: string): string {
  return cookie(sessionCookieName(baseUrl), "", 0, baseUrl);
}

/** Returns a `Set-Cookie` header. `Path=/`, because `__Host-` requires it. `maxAge` is in seconds. */
export function cookie(name: string, value: string, maxAge: number, baseUrl: string): string {
  const secure = isSecure(baseUrl) ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith("https:");
}
