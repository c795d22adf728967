// Words that customers use for what the documentation calls otherwise, and words of questions that say nothing.
import { stem, type Word, wordsOf } from "./words.ts";

/**
 * What people type, separated by commas, and what it means here. Each meaning is a word, several words that must occur
 * together, or the name of an option. Stems make further forms needless.
 */
const meanings: readonly (readonly [typed: string, ...meanings: readonly string[]])[] = [
  // Money and plans
  ["price, cost, fee, charge, tariff, expensive, subscription, upgrade", "plans", "pricing", "billing", "costs"],
  ["bill, receipt, payment, pay, credit card, vat", "billing", "invoice"],
  ["credits, limit", "quota"],
  // Programs
  ["sdk, library, package, npm, pip", "client"],
  ["golang", "go client"],
  ["dotnet, .net", "csharp"],
  ["rust, elixir, kotlin, perl", "generated clients"],
  ["gem", "ruby client"],
  ["composer, symfony", "php client"],
  ["maven, gradle, spring", "java client"],
  ["node, nodejs, node js, javascript client, js", "typescript client"],
  ["cli, terminal, shell, bash", "command line"],
  ["ai, llm, agent, gpt, claude, chatgpt, cursor", "mcp", "model"],
  ["swagger, postman, spec", "openapi"],
  ["batch, multiple urls, many urls", "bulk"],
  ["example, sample, tutorial, how to", "recipes", "quick start"],
  ["callback, notification", "webhook"],
  ["queue, background, job", "asynchronous"],
  // The account
  ["login, log in, sign in, auth", "cookies", "headers", "http_auth_username", "authenticate", "session"],
  ["authentication, token, bearer, credentials", "authenticate", "api key"],
  ["delete account, delete my account, close account, gdpr, erase", "delete account"],
  ["email, mail", "account"],
  ["dashboard, console, portal", "dashboard"],
  // The picture
  ["retina, hidpi, high dpi, dpi, 2x, 3x, resolution, pixel ratio", "device_scale_factor"],
  ["movie, film, mp4, screencast, recording, record, animated", "video"],
  ["jpg", "jpeg"],
  ["tif", "tiff"],
  ["photo, snapshot, screengrab, picture", "screenshot", "image"],
  ["whole page, entire page, long page, full height, scrolling screenshot", "full_page"],
  ["crop, region, area", "clip_width", "selector"],
  ["thumbnail, resize, smaller, scale down", "image_width", "thumbnails"],
  ["og image, social card, social preview, preview image", "link previews"],
  ["transparent, transparency, alpha", "omit_background"],
  ["phone, iphone, android, smartphone, tablet, ipad, responsive", "viewport_device", "viewport_mobile", "device"],
  ["night mode, dark theme", "dark_mode"],
  ["window size, screen size, dimensions", "viewport_width", "size"],
  // The page
  ["captcha, cloudflare, recaptcha, turnstile, blocked, bot, bot detection", "bot challenge", "stealth"],
  ["consent, gdpr banner, cookie popup, cookie notice", "cookie banner"],
  ["popup, modal, overlay, newsletter", "block_banners_by_heuristics", "banner"],
  ["adblock, ad blocker, advertisement", "block_ads"],
  ["lazy, lazy loading, lazyload", "full_page_scroll", "lazy"],
  ["wait, loading, loaded, slow, sleep, pause", "waiting", "delay"],
  ["appear, visible", "wait_for_selector"],
  ["too long, takes long, too slow", "slow"],
  ["css, stylesheet", "styles"],
  ["inject javascript, custom javascript, run javascript, js code", "scripts"],
  ["location, gps", "geolocation_latitude"],
  ["country, ip, vpn", "proxy", "language and place"],
  ["basic auth, htpasswd", "http_auth_username"],
  ["ssl, https, certificate", "tls"],
  ["dns, domain, site not found", "target_name_not_resolved"],
  ["connection refused, connection error, unreachable, offline", "target_unreachable"],
  ["infinite scroll, infinite, endless", "long pages", "full_page_max_height"],
  ["sticky, sticky header, fixed header", "full_page_freeze_fixed", "fixed", "pinned"],
  ["animation", "disable_animations"],
  // Delivery
  ["s3, bucket, upload, gcs, r2", "storage"],
  ["hotlink, embed, img tag, public url, render link", "signed links"],
  ["throttle, throttling, too many requests", "rate limit"],
  ["maximum, max, biggest, largest", "limits"],
  ["gitlab, pipeline, jenkins", "ci workflow"],
  ["no code", "zapier", "make", "n8n"],
];

/** Ignored in a query, unless it has no other word. */
const stopWords =
  "a about after all also am an and any are as at be because been before behind but by can cannot could did do does doing don for from " +
  "get gets getting give had has have he how i if in into is isn it its just let like me much my need no not of off on once " +
  "one only or our out own please re s same she should so some such t take than that the their them then there these they this " +
  "those to too until up us use used using very want was way we were what when where which while who why will with would you your";

/** Words that could stand in every question about this service. */
const commonWords = "api capture page screenshot service site url use web website";

/** From a phrase of stems, separated by spaces, to the words of each meaning. */
export const synonyms: ReadonlyMap<string, readonly string[]> = new Map(
  meanings.flatMap(([typed, ...means]) =>
    typed.split(", ").map((phrase) => [phraseKey(wordsOf(phrase)), means] as const),
  ),
);

/** Words of the longest phrase that has synonyms. */
export const MAX_PHRASE_WORDS = 3;

/** A phrase of a query under which its synonyms are found, in any form of its words. */
export function phraseKey(words: readonly Word[]): string {
  return words.map(({ text }) => stem(text.toLowerCase())).join(" ");
}

const commonStems = new Set(commonWords.split(" ").map(stem));

export const isCommonWord = (word: string): boolean => commonStems.has(stem(word.toLowerCase()));

const stops = new Set(stopWords.split(" "));

export const isStopWord = (word: string): boolean => stops.has(word.toLowerCase());
