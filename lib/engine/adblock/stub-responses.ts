// Stub responses to blocked requests, for rules of lists that redirect because a failed request would break the page.
import type { Intervention } from "../page/interception.ts";

type Answer = Extract<Intervention, { answer: unknown }>["answer"];

/**
 * The stub response of a redirect name, such as `noopjs`. Undefined for the names of replacement scripts, of which there
 * are none here: such requests are blocked.
 */
export function stubResponse(name: string): Answer | undefined {
  const type = types.find(([names]) => names.test(name))?.[1];
  if (type === undefined) return undefined;
  const headers = [
    { name: "Content-Type", value: type },
    { name: "Access-Control-Allow-Origin", value: "*" },
  ];
  return { status: 200, headers, body: bodies[type] ?? Buffer.alloc(0) };
}

const types: readonly (readonly [RegExp, string])[] = [
  [/^noop-?js$|^noop\.js$/, "text/javascript"],
  [/^noop-?css$/, "text/css"],
  [/^noop-?frame$|^noop\.html$/, "text/html"],
  [/^noop-?json$|^noop\.json$/, "application/json"],
  [/^noop-?text$|^noop\.txt$|^empty$/, "text/plain"],
  [/^\d+x\d+(-transparent)?(\.gif|\.png)?$/, "image/gif"],
];

/** A transparent GIF of one pixel, which scales to any size. */
const PIXEL = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

const bodies: Readonly<Record<string, Buffer>> = {
  "application/json": Buffer.from("{}"),
  "image/gif": Buffer.from(PIXEL, "base64"),
};
