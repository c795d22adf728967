// The limits and the defaults that pages of the documentation state are those of the code.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { MAX_PAGE_PIXELS } from "../../lib/contract/options/groups/area.ts";
import { MAX_IMAGE_FPS, MAX_VIDEO_SIZE } from "../../lib/contract/options/groups/video.ts";
import { formatLimits } from "../../lib/contract/options/image-limits.ts";
import { optionReference } from "../../lib/contract/options/option-reference.ts";
import { atMost, between, count } from "../../lib/contract/options/wording.ts";
import { MAX_FAILED_MINUTES_PER_DAY, MAX_TESTS_PER_DAY, MIN_FREE_FAILURES, plans } from "../../lib/contract/plans.ts";
import { MAX_NAMES } from "../../lib/engine/egress/name-resolver.ts";
import { LINK_VIEWS_PER_MINUTE } from "../../lib/service/account/rate-limit.ts";
import { MAX_BULK_REQUESTS } from "../../lib/service/bulk/bulk-options.ts";
import { MIN_COMPRESSED_BYTES } from "../../lib/service/http/compress-response.ts";
import { JOB_RETENTION_DAYS } from "../../lib/service/jobs/job.ts";
import { MAX_KEYS } from "../../lib/service/keys/key-count.ts";
import { MAX_LINK_GRACE_SECONDS, MAX_OVERLAP_SECONDS, MAX_PREVIOUS_SECRETS } from "../../lib/service/keys/key-ring.ts";
import { MAX_READ, MAX_SPAN_DAYS } from "../../lib/service/usage/usage-options.ts";
import { MAX_GATEWAY_HEADER_BYTES } from "../../lib/tools/local/api-gateway/gateway-response.ts";

const options = new Map(optionReference().flatMap((group) => group.options.map((option) => [option.name, option])));

/** A bound of an option. */
function fact(name: string, key: "minimum" | "maximum"): number {
  const value = options.get(name)?.jsonSchema[key];
  if (typeof value !== "number") throw new Error(`The option ${name} has no ${key}.`);
  return value;
}

const bounds = (name: string, unit: string) => between(fact(name, "minimum"), fact(name, "maximum"), unit);

const page = (path: string) =>
  readFileSync(join(resolve(import.meta.dirname, "../.."), path), "utf8").replaceAll(/\s+/g, " ");

/** The default of an option as the reference states it; of several, that of images, which is the first. */
function defaultOf(name: string): string {
  const text = options.get(name)?.defaultText?.split(";", 1)[0];
  if (text === undefined) throw new Error(`The option ${name} has no default.`);
  return text;
}

/** The default of an option for two formats. */
const videoFps = /^(\d+); (\d+) for /.exec(options.get("video_fps")?.defaultText ?? "");

const statedDefaults: [path: string, text: string][] = [
  ["docs/guide/waiting.md", `${defaultOf("timeout")} seconds by default, ${fact("timeout", "maximum")} at most`],
  ["docs/guide/waiting.md", `at most ${fact("navigation_timeout", "maximum")} seconds`],
  ["docs/guide/waiting.md", `| \`${defaultOf("wait_until")}\` (default) |`],
  ["docs/guide/waiting.md", `(default ${defaultOf("fail_on_status").replace("-", "–")})`],
  ["docs/guide/images.md", `${defaultOf("viewport_width")} × ${defaultOf("viewport_height")} CSS pixels`],
  [
    "docs/guide/images.md",
    `\`image_quality\` (${fact("image_quality", "minimum")}–${fact("image_quality", "maximum")}, default ${defaultOf("image_quality")})`,
  ],
  ["docs/guide/images.md", `\`${defaultOf("image_fit")}\` (default)`],
  ["docs/guide/images.md", `\`disable_animations\` (default \`${defaultOf("disable_animations")}\`)`],
  ["docs/guide/video.md", `(default ${videoFps?.[1]}), and at most ${MAX_IMAGE_FPS} for`],
  ["docs/guide/video.md", `\`animated_webp\` (default ${videoFps?.[2]})`],
  ["docs/guide/agents.md", `| \`elements_scope=${defaultOf("elements_scope")}\` |`],
  ["docs/guide/agents.md", `${defaultOf("elements_max")} by default, up to ${count(fact("elements_max", "maximum"))}`],
  ["docs/guide/visual-tests.md", `by default \`${defaultOf("page_clock").replace(".000Z", "Z")}\``],
];

test.each(statedDefaults)("documentation: %s states the default “%s”", (path, text) => {
  expect(page(path)).toContain(text);
});

const stated: [path: string, text: string][] = [
  ...Object.entries(formatLimits).map(([format, { pixels, longestSide }]): [string, string] => [
    "docs/reference/limits.md",
    `| \`${format}\` | ${pixels / 1e6} million | ${count(longestSide)} |`,
  ]),
  ["docs/reference/limits.md", `can use ${count(MAX_NAMES)} host names`],
  ["docs/reference/limits.md", atMost(fact("timeout", "maximum"), "seconds")],
  ["docs/reference/limits.md", `ends at ${count(Number(options.get("full_page_max_height")?.defaultText))} CSS pixels`],
  ["docs/reference/limits.md", `up to ${count(MAX_PAGE_PIXELS)}`],
  ["docs/reference/limits.md", bounds("video_duration", "seconds")],
  ["docs/reference/limits.md", bounds("video_fps", `frames per second (${MAX_IMAGE_FPS} for`)],
  ["docs/reference/limits.md", atMost(MAX_VIDEO_SIZE.side, "pixels wide or high")],
  ["docs/reference/limits.md", `| Address and headers together | ${count(MAX_GATEWAY_HEADER_BYTES)} bytes.`],
  ["docs/reference/limits.md", `| Status of an asynchronous capture | ${JOB_RETENTION_DAYS} days |`],
  ["docs/reference/limits.md", `| Captures in a bulk request | ${MAX_BULK_REQUESTS} |`],
  ["docs/reference/headers.md", `Text of ${count(MIN_COMPRESSED_BYTES)} bytes and more`],
  ["docs/guide/async.md", `up to ${MAX_BULK_REQUESTS} pages in one request`],
  ["docs/guide/async.md", `available for ${JOB_RETENTION_DAYS} days`],
  ["docs/guide/async.md", `captures of the last ${JOB_RETENTION_DAYS} days`],
  ["docs/guide/keys-and-usage.md", `${MAX_KEYS} keys that aren't revoked`],
  ["docs/guide/keys-and-usage.md", `up to ${count(MAX_LINK_GRACE_SECONDS)} seconds`],
  ["docs/guide/keys-and-usage.md", `0 to ${count(MAX_OVERLAP_SECONDS)} seconds`],
  ["docs/guide/keys-and-usage.md", `can have ${MAX_PREVIOUS_SECRETS} previous texts`],
  [
    "docs/guide/limits-first.md",
    `${plans.free.requestsPerMinute} requests a minute on a trial, ${plans.starter.requestsPerMinute} to ${plans.max.requestsPerMinute} on`,
  ],
  [
    "docs/guide/limits-first.md",
    `${Object.entries(plans.free.quotas)
      .map(([name, limit]) => `${limit} ${name}`)
      .join(" and ")}, in ${plans.free.trialDays} days`,
  ],
  ["docs/guide/limits-first.md", `at most ${fact("timeout", "maximum")}`],
  ["docs/guide/costs.md", `${MAX_TESTS_PER_DAY} captures a day with a`],
  ["docs/guide/costs.md", `at least ${MIN_FREE_FAILURES}`],
  [
    "docs/guide/troubleshooting.md",
    `more than ${count(Number(options.get("full_page_max_height")?.defaultText))} pixels`,
  ],
  ["docs/guide/costs.md", `failed captures can take ${MAX_FAILED_MINUTES_PER_DAY} minutes a UTC day`],
  ["docs/guide/keys-and-usage.md", `can make ${MAX_TESTS_PER_DAY} of them a UTC day`],
  ["docs/guide/keys-and-usage.md", `for \`days\` (1–${MAX_SPAN_DAYS})`],
  ["docs/guide/limits-first.md", `each link has ${LINK_VIEWS_PER_MINUTE} of them a minute`],
  ["docs/guide/signed-links.md", `each link can have ${LINK_VIEWS_PER_MINUTE} of them a minute`],
  ["docs/guide/dashboard.md", `${count(MAX_READ)} captures at a time`],
];

test.each(stated)("documentation: %s states the limit “%s”", (path, text) => {
  expect(page(path)).toContain(text);
});
