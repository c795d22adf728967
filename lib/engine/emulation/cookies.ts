// Sets the caller's cookies before the navigation.
import type { CDPSession } from "puppeteer-core";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { Cookie } from "../../contract/options/values/set-cookie.ts";

/**
 * Sets cookies for the host of `url`, or for their `domain` and its subdomains; the default path is `/`. Throws
 * `VALIDATION_ERROR` with the names, never the values, of cookies that Chromium rejects, such as `__Host-…` with a
 * domain.
 */
export async function setCookies(cdp: CDPSession, cookies: readonly Cookie[], url: string): Promise<void> {
  const accepted = await Promise.all(cookies.map((cookie) => setCookie(cdp, cookie, url)));
  const refused = cookies.filter((_, index) => !accepted[index]).map(({ name }) => `'${name.slice(0, 100)}'`);
  if (refused.length === 0) return;
  const message = `The browser refuses the cookie ${refused.join(", ")}: check its name, prefix, domain, path and SameSite.`;
  throw new ApiError("VALIDATION_ERROR", message, {
    details: { cookies: refused.map((name) => `the browser refuses ${name}`) },
  });
}

/** Returns whether Chromium accepted the cookie. */
async function setCookie(cdp: CDPSession, { domain, ...cookie }: Cookie, url: string): Promise<boolean> {
  // Chromium treats a domain without a leading dot as a host without subdomains.
  const scope = domain === undefined ? {} : { domain: domain.replace(/^\.?/, ".") };
  return cdp.send("Network.setCookie", { ...cookie, ...scope, url }).then(
    ({ success }) => success,
    (error) => {
      if (String(error).includes("Sanitizing cookie failed")) return false;
      throw error;
    },
  );
}
