// Signed links to stored results (HMAC-SHA256 with an expiry), like presigned URLs but with lifetimes beyond S3's seven
// days.
import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Returns the link to a stored result. `expiresAt` is milliseconds since 1970; a link expires at the next whole second.
 */
export function resultLink({
  baseUrl,
  key,
  expiresAt,
  secret,
}: {
  baseUrl: string;
  key: string;
  expiresAt: number;
  secret: string;
}): string {
  const expires = Math.ceil(expiresAt / 1000);
  return `${baseUrl}/storage/${key}?e=${expires}&s=${signature(key, expires, secret)}`;
}

export type LinkState = "valid" | "expired" | "forged";

/** Verifies a link at `now` (milliseconds since 1970). Anything that none of the secrets has signed is forged. */
export function checkLink(
  { key, e, s }: { key: string; e: string; s: string },
  { secrets, now }: { secrets: readonly string[]; now: number },
): LinkState {
  const expires = /^[1-9]\d{9,11}$/.test(e) ? Number(e) : 0;
  const actual = Buffer.from(s);
  const isSignedWith = (secret: string) => {
    const expected = Buffer.from(signature(key, expires, secret));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
  if (!secrets.some(isSignedWith)) return "forged";
  return now >= expires * 1000 ? "expired" : "valid";
}

function signature(key: string, expires: number, secret: string): string {
  return createHmac("sha256", secret).update(`${key}\n${expires}`).digest("base64url");
}
