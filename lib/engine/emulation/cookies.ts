// The caller's cookies, in the browser before the page is opened.
import type { CDPSession } from "puppeteer-core";
import { ApiError } from "../../errors/api-error.ts";
import type { Cookie } from "../../options/values/set-cookie.ts";

/**
 * Sets cookies for the host of `url`, or for the domain they name and its subdomains; their path is `/` unless they
 * name one. Throws VALIDATION_ERROR that names the cookies Chromium refuses, such as one that is called `__Host-…` and
 * has a domain, but never says their values.
 */
export async function setCookies(cdp: CDPSession, cookies: readonly Cookie[], url: string): Promise<void> {
  const taken = await Promise.all(cookies.map((cookie) => setCookie(cdp, cookie, url)));
  const refused = cookies.filter((_, index) => !taken[index]).map(({ name }) => `'${name.slice(0, 100)}'`);
  if (refused.length === 0) return;
  const message = `The browser refuses the cookie ${refused.join(", ")}: check its name, prefix, domain, path and SameSite.`;
  throw new ApiError("VALIDATION_ERROR", message, {
    details: { cookies: refused.map((name) => `the browser refuses ${name}`) },
  });
}

/** True if Chromium took the cookie. */
async function setCookie(cdp: CDPSession, { domain, ...cookie }: Cookie, url: string): Promise<boolean> {
  // To Chromium, a domain without a dot before it is a host without subdomains.
  const scope = domain === undefined ? {} : { domain: domain.replace(/^\.?/, ".") };
  return cdp.send("Network.setCookie", { ...cookie, ...scope, url }).then(
    ({ success }) => success,
    (error) => {
      if (String(error).includes("Sanitizing cookie failed")) return false;
      throw error;
    },
  );
}
