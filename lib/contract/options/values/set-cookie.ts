// A cookie as a server writes it in a Set-Cookie header, read as a browser would read it.

/** A cookie to be set in the browser before the page is opened. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** With it, the cookie is also sent to subdomains; without it, to the target's host alone. */
  readonly domain?: string;
  readonly path?: string;
  readonly secure?: boolean;
  readonly httpOnly?: boolean;
  readonly sameSite?: "Strict" | "Lax" | "None";
  /** In seconds since 1970; without it, the cookie lasts as long as the browser. */
  readonly expires?: number;
}

const MAX_PAIR = 4096;
const MAX_ATTRIBUTE = 1024;
/** Room for the longest pair and each attribute once, at its longest. */
const MAX_CHARACTERS = 16 * 1024;

/**
 * Reads the value of a Set-Cookie header (RFC 6265bis, section 5.6): attributes that are unknown or malformed are
 * ignored, the last of several of one name counts, quotes belong to the value. `now` is in milliseconds since 1970.
 * Undefined for what is no cookie: without a name, with control characters, longer than 4096 characters, or with
 * attributes beyond all measure.
 */
export function parseSetCookie(text: string, now: number): Cookie | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(text)) return undefined;
  const [pair = "", ...attributes] = text.split(";");
  const [name, value] = halves(pair);
  if (!pair.includes("=") || name === "" || name.length + value.length > MAX_PAIR) return undefined;
  const cookie: { -readonly [K in keyof Cookie]: Cookie[K] | undefined } = { name, value };
  let maxAge: number | undefined;
  for (const attribute of attributes) {
    const [key, given] = halves(attribute);
    if (given.length > MAX_ATTRIBUTE) continue;
    switch (key.toLowerCase()) {
      case "expires":
        cookie.expires = parseCookieDate(given) ?? cookie.expires;
        break;
      case "max-age":
        if (/^-?\d+$/.test(given)) maxAge = Number(given);
        break;
      case "domain":
        cookie.domain = given.replace(/^\./, "").toLowerCase();
        break;
      case "path":
        cookie.path = given.startsWith("/") ? given : undefined;
        break;
      case "secure":
        cookie.secure = true;
        break;
      case "httponly":
        cookie.httpOnly = true;
        break;
      case "samesite":
        cookie.sameSite = SAME_SITE.get(given.toLowerCase());
        break;
    }
  }
  if (maxAge !== undefined) cookie.expires = maxAge <= 0 ? 0 : Math.floor(now / 1000) + Math.min(maxAge, LONGEST_AGE);
  if (cookie.domain === "") delete cookie.domain;
  return Object.fromEntries(Object.entries(cookie).filter(([, set]) => set !== undefined)) as unknown as Cookie;
}

const SAME_SITE: ReadonlyMap<string, Cookie["sameSite"]> = new Map([
  ["strict", "Strict"],
  ["lax", "Lax"],
  ["none", "None"],
]);

/** 400 days in seconds, beyond which browsers keep no cookie (RFC 6265bis, section 5.5). */
const LONGEST_AGE = 400 * 24 * 60 * 60;

/** What is before and after the first `=`, trimmed. */
function halves(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals < 0) return [text.trim(), ""];
  return [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `delimiter` of RFC 6265bis, section 5.1.1. */
const DELIMITERS = /[\t\x20-/;-@[-`{-~]+/;

/**
 * Parses a cookie date (RFC 6265bis, section 5.1.1) to seconds since 1970; undefined for an invalid one. Our own, because
 * tough-cookie's `parseDate` cannot be bundled without the public suffix list: 155 KB and 4 ms of every cold start. A test
 * compares the two; other packages use `new Date()`, which reads other dates and in the local time zone.
 */
function parseCookieDate(text: string): number | undefined {
  let time: number[] | undefined;
  let [day, month, year] = [Number.NaN, -1, Number.NaN];
  for (const token of text.split(DELIMITERS)) {
    const clock = time ? null : /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(token);
    if (clock) time = clock.slice(1).map(Number);
    else if (Number.isNaN(day) && /^\d{1,2}(?!\d)/.test(token)) day = Number.parseInt(token, 10);
    else if (month < 0 && MONTHS.includes(token.slice(0, 3).toLowerCase())) {
      month = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
    } else if (Number.isNaN(year) && /^\d{2,4}(?!\d)/.test(token)) year = Number.parseInt(token, 10);
  }
  if (year >= 70 && year <= 99) year += 1900;
  if (year >= 0 && year <= 69) year += 2000;
  const [hours = 99, minutes = 99, seconds = 99] = time ?? [];
  if (month < 0 || !(year >= 1601) || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const date = new Date(Date.UTC(year, month, day, hours, minutes, seconds));
  return date.getUTCDate() === day ? date.getTime() / 1000 : undefined;
}
