// Reads and sets the cookie of a browser that has signed in before, signed with the secret of result links.
import type { ApiRequest } from "../http/api-request.ts";
import type { Environment } from "../platform/environment.ts";
import { linkSecret, verifyingLinkSecrets } from "../results/link-secret.ts";
import {
  KNOWN_BROWSER_LIFETIME_MS,
  type KnownBrowser,
  knownBrowser,
  rememberSubjects,
  type Subject,
} from "./known-browser.ts";
import { cookie, readCookie } from "./session-cookie.ts";

type Resources = Pick<Environment, "ACCOUNTS_TABLE" | "BASE_URL">;

/** The browser of a request, if it has signed in to a subject before. */
export async function findKnownBrowser(
  { cookies, receivedAt: now }: Pick<ApiRequest, "cookies" | "receivedAt">,
  subject: Subject,
  { ACCOUNTS_TABLE, BASE_URL }: Resources,
): Promise<KnownBrowser | undefined> {
  const value = readCookie(cookies, "known-browser", BASE_URL);
  if (value === undefined) return undefined;
  return knownBrowser(value, { secrets: await verifyingLinkSecrets(ACCOUNTS_TABLE), subject, now });
}

/** The `Set-Cookie` header by which a browser that has signed in to subjects is known for them. */
export async function knownBrowserCookie(
  { cookies, receivedAt: now }: Pick<ApiRequest, "cookies" | "receivedAt">,
  subjects: readonly Subject[],
  { ACCOUNTS_TABLE, BASE_URL }: Resources,
): Promise<string> {
  const [secret, secrets] = await Promise.all([linkSecret(ACCOUNTS_TABLE), verifyingLinkSecrets(ACCOUNTS_TABLE)]);
  const value = rememberSubjects(readCookie(cookies, "known-browser", BASE_URL), { secret, secrets, subjects, now });
  return cookie("known-browser", { value, maxAgeMs: KNOWN_BROWSER_LIFETIME_MS, baseUrl: BASE_URL });
}
