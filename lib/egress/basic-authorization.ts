// Basic authentication, which proxies and pages ask for alike.

/** Value of the Authorization header of Basic authentication, in UTF-8 (RFC 7617). */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
