// HTTP Strict Transport Security: browsers that have seen the header use HTTPS alone for a year. https://www.rfc-editor.org/rfc/rfc6797
import { optionalVariable } from "../platform/environment.ts";

/** The value of the header. It is about this host alone: others of the operator's domain may be plain HTTP. */
export const STRICT_TRANSPORT_SECURITY = "max-age=31536000";

/** The header, where the public address of the service is HTTPS. */
export function transportSecurity(): Readonly<Record<string, string>> {
  const isSecure = optionalVariable("BASE_URL")?.startsWith("https:") ?? false;
  return isSecure ? { "Strict-Transport-Security": STRICT_TRANSPORT_SECURITY } : {};
}
