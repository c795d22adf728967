// Basic authentication, for proxies and pages.

/** Value of an Authorization header for Basic authentication, in UTF-8 (RFC 7617). */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
