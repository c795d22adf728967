// Options for the browser that visits the page: headers, cookies, credentials, language, location, and proxy.
import * as v from "valibot";
import { coerced, decimal, flag, list, shown, text } from "../coercion.ts";
import { option } from "../option.ts";
import { isHeaderName, isHeaderValue, isSettableHeader, isSingleValued } from "../values/header-names.ts";
import { canonicalLocale, isTimeZone } from "../values/locale.ts";
import { type Cookie, parseSetCookie } from "../values/set-cookie.ts";
import { tooLong } from "../wording.ts";
import { httpAddress } from "./input.ts";

export interface HeaderOption {
  readonly name: string;
  readonly value: string;
}

const MAX_HEADERS = 64;
const MAX_HEADER_CHARACTERS = 8_000;
const MAX_COOKIE_CHARACTERS = 4_096;

/** A list of `Name: value`, or a JSON object with names and values. Error messages never contain values. */
const headers = () =>
  coerced<readonly HeaderOption[]>(
    {
      oneOf: [
        { type: "object", additionalProperties: { type: "string" } },
        { type: "array", items: { type: "string" }, maxItems: MAX_HEADERS },
      ],
      examples: [["X-Tenant: 7"]],
    },
    (sent) => {
      const lines = headerLines(sent);
      if (!lines) return { problem: "must be headers such as 'X-Name: value', or an object with names and values" };
      if (lines.length > MAX_HEADERS) return { problem: tooLong(MAX_HEADERS, "headers", lines.length) };
      for (const { name, value } of lines) {
        // An invalid name may be a secret without its name: do not repeat it in the message.
        if (!isHeaderName(name)) return { problem: "must have a valid header name before each colon: 'X-Name: value'" };
        if (!isSettableHeader(name)) {
          return { problem: `can't set the header ${shown(name)}, which the browser sets itself` };
        }
        if (value.length > MAX_HEADER_CHARACTERS || !isHeaderValue(value)) {
          return { problem: `has an invalid value for ${shown(name)}` };
        }
      }
      const repeated = lines.find(
        ({ name }, index) => isSingleValued(name) && lines.findIndex((line) => isSameHeader(line.name, name)) < index,
      );
      if (repeated) return { problem: `must not repeat the header ${shown(repeated.name)}, which has one value` };
      return { value: lines };
    },
  );

function isSameHeader(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** The value of the User-Agent header, which is the same as the option `user_agent`. */
export function userAgentHeader(headers: readonly HeaderOption[] | undefined): string | undefined {
  return headers?.find(({ name }) => isSameHeader(name, "user-agent"))?.value;
}

function headerLines(sent: unknown): HeaderOption[] | undefined {
  const given = typeof sent === "string" && sent.trimStart().startsWith("{") ? fromJson(sent) : sent;
  if (typeof given === "object" && given !== null && !Array.isArray(given)) {
    const pairs = Object.entries(given);
    if (pairs.some(([, value]) => typeof value !== "string" && typeof value !== "number")) return undefined;
    return pairs.map(([name, value]) => ({ name, value: String(value).trim() }));
  }
  const items = typeof given === "string" && given.trimStart().startsWith("[") ? fromJson(given) : given;
  const lines = [items].flat().map((line) => (typeof line === "string" ? /^([^:]*):(.*)$/s.exec(line) : null));
  return lines.every((line) => line !== null)
    ? lines.map(([, name = "", value = ""]) => ({ name: name.trim(), value: value.trim() }))
    : undefined;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A cookie in the syntax of Set-Cookie, or as an object. */
const cookie = () =>
  coerced<Cookie>(
    {
      oneOf: [
        { type: "string" },
        {
          type: "object",
          required: ["name", "value"],
          properties: {
            name: { type: "string" },
            value: { type: "string" },
            domain: { type: "string" },
            path: { type: "string" },
            expires: { type: "number", description: "Seconds since 1970" },
            secure: { type: "boolean" },
            httpOnly: { type: "boolean" },
            sameSite: { type: "string", enum: ["Strict", "Lax", "None"] },
          },
        },
      ],
      examples: ["session=1; Path=/; Secure"],
    },
    (sent) => {
      const given = typeof sent === "string" && sent.trimStart().startsWith("{") ? fromJson(sent) : sent;
      const value = typeof given === "string" ? parseSetCookie(given, Date.now()) : toCookie(given);
      return value ? { value } : { problem: COOKIE_REFUSAL };
    },
  );

const COOKIE_REFUSAL =
  "must be cookies such as 'name=value; Path=/', or objects with name, value, and optionally domain, path, expires, " +
  "secure, httpOnly, and sameSite";

const sameSites = { strict: "Strict", lax: "Lax", none: "None" } as const;

const cookieSchema = v.strictObject({
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_COOKIE_CHARACTERS)),
  value: v.pipe(v.string(), v.maxLength(MAX_COOKIE_CHARACTERS)),
  domain: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(253))),
  path: v.exactOptional(v.pipe(v.string(), v.startsWith("/"), v.maxLength(1024))),
  expires: v.exactOptional(v.pipe(v.number(), v.finite())), // JSON has 1e999
  secure: v.exactOptional(v.boolean()),
  httpOnly: v.exactOptional(v.boolean()),
  sameSite: v.exactOptional(
    v.pipe(
      v.string(),
      v.toLowerCase(),
      v.picklist(["strict", "lax", "none"]),
      v.transform((name) => sameSites[name]),
    ),
  ),
});

function toCookie(sent: unknown): Cookie | undefined {
  const parsed = v.safeParse(cookieSchema, sent);
  return parsed.success ? parsed.output : undefined;
}

const proxyAddress = () =>
  coerced<string>({ type: "string", examples: ["http://user:password@proxy.example:8080"] }, (sent) => {
    const url = typeof sent === "string" && sent.length <= 2_000 ? URL.parse(sent) : null;
    const isBare = url?.pathname === "/" && url.search === "" && url.hash === "";
    if (url?.protocol === "http:" && isBare) return { value: url.href };
    return { problem: "must be the URL of an HTTP proxy such as http://user:password@proxy.example:8080" };
  });

const locale = () =>
  coerced<string>({ type: "string", examples: ["de-CH"] }, (sent) => {
    // Use the first language of an Accept-Language header.
    const value = typeof sent === "string" ? canonicalLocale(sent.split(/[,;]/, 1)[0]?.trim() ?? "") : undefined;
    return value === undefined ? { problem: `must be a language tag such as de-CH, not ${shown(sent)}` } : { value };
  });

const timeZone = () =>
  coerced<string>({ type: "string", examples: ["Europe/Zurich"] }, (sent) =>
    typeof sent === "string" && isTimeZone(sent)
      ? { value: sent }
      : { problem: `must be an IANA time zone such as Europe/Zurich, not ${shown(sent)}` },
  );

const headerText = (maximum: number, facts?: { secret: boolean }) =>
  v.pipe(
    text(maximum, facts),
    v.check((value) => isHeaderValue(value), "must be a valid header value"),
  );

export const environmentOptions = {
  user_agent: v.optional(
    option(headerText(1_000), {
      description:
        "User agent of the browser, or `mobile` or `desktop` for a common one. Client hints and `navigator` match " +
        "it.",
      otherwise: "that of a plain Chrome, or of `viewport_device`",
      sample: "MyBot/1.0",
    }),
  ),
  headers: v.optional(
    option(headers(), {
      description:
        "HTTP headers to send with requests to the origin of `url` (or `base_url`), and to no other origin, as " +
        "`Name: value` or as an object. At most 64. The values of a repeated name are sent as one list. A " +
        "`User-Agent` header is the same as `user_agent`.",
      secret: true,
      sample: "X-Tenant: 7",
    }),
  ),
  cookies: v.optional(
    option(list(cookie(), 100), {
      description:
        "Cookies to set, in the syntax of `Set-Cookie` or as objects with `name` and `value`. They apply to the " +
        "host of `url` unless they name a domain.",
      secret: true,
      sample: "theme=dark; Path=/",
    }),
  ),
  authorization: v.optional(
    option(headerText(MAX_HEADER_CHARACTERS, { secret: true }), {
      description: "Value of the Authorization header. Sent only to the origin of `url` (or `base_url`).",
      secret: true,
      sample: "Bearer token",
    }),
  ),
  http_auth_username: v.optional(
    option(v.pipe(text(500, { secret: true }), v.regex(/^[^:]*$/, "must not contain a colon")), {
      description:
        "Username for HTTP Basic authentication at the origin of `url`. Digest authentication isn't supported.",
      secret: true,
      needs: ["http_auth_password"],
      sample: "me",
    }),
  ),
  http_auth_password: v.optional(
    option(text(500, { secret: true }), {
      description: "Password for HTTP Basic authentication at the origin of `url`.",
      secret: true,
      needs: ["http_auth_username"],
      sample: "secret",
    }),
  ),
  referer: v.optional(
    option(httpAddress(), { description: "URL of the referring page.", sample: "https://example.com/start" }),
  ),
  locale: v.optional(
    option(locale(), {
      description:
        "Language of the browser, such as `de-CH`. It sets the Accept-Language header, `navigator.language`, and " +
        "number and date formats, also those of form fields and of the date in PDF headers and footers. The labels of " +
        "file, submit, and reset buttons stay in English. A language other than the default can't use a browser that is " +
        "ready, so the capture takes about 0.2 s longer. Alias: `accept_language`.",
    }),
    "en-US",
  ),
  time_zone: v.optional(
    option(timeZone(), { description: "Time zone of the browser, as an IANA name such as `Europe/Zurich`." }),
    "UTC",
  ),
  geolocation_latitude: v.optional(
    option(decimal(-90, 90, " degrees"), {
      description: "Latitude that the Geolocation API returns to the page.",
      needs: ["geolocation_longitude"],
      sample: "47.37",
    }),
  ),
  geolocation_longitude: v.optional(
    option(decimal(-180, 180, " degrees"), {
      description: "Longitude that the Geolocation API returns. Requires `geolocation_latitude`.",
      needs: ["geolocation_latitude"],
      sample: "8.54",
    }),
  ),
  geolocation_accuracy: v.optional(
    option(decimal(0.1, 1_000_000, " metres"), {
      description: "Accuracy of the position in meters.",
      needs: ["geolocation_latitude"],
      sample: "50",
    }),
    10,
  ),
  proxy: v.optional(
    option(proxyAddress(), {
      description: "Your own proxy to load the page through, such as `http://user:password@proxy.example:8080`.",
      secret: true,
    }),
  ),
  proxy_bypass_hosts: v.optional(
    option(list(v.pipe(text(260), v.regex(/^[^\s/@]+$/, "must be host names such as cdn.example or *.example"))), {
      description: "Hosts to load without the `proxy`. `*.example.com` stands for all subdomains.",
      needs: ["proxy"],
      sample: "cdn.example.com",
    }),
  ),
  bypass_csp: v.optional(
    option(flag(), {
      description:
        "Ignore the Content Security Policy of the page, which can prevent `scripts` and `styles` from loading " +
        "resources.",
    }),
    false,
  ),
};
