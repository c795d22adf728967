// The logic of the playground without a browser: share links, history, Server-Timing, presets, and values of options.
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { isSecret, parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { optionReference } from "../../lib/contract/options/option-reference.ts";
import { edit, redo, replace, startHistory, undo } from "../../lib/site/web/playground/draft-history.ts";
import { addToHistory, MAX_HISTORY_ENTRIES, readHistory } from "../../lib/site/web/playground/history.ts";
import { parseOptionValue, showValue, typedOptions } from "../../lib/site/web/playground/option-value.ts";
import { pollDelayMs } from "../../lib/site/web/playground/poll-delay.ts";
import { presets } from "../../lib/site/web/playground/presets.ts";
import {
  draftFromOptions,
  initialDraft,
  requestOptions,
  withOption,
} from "../../lib/site/web/playground/request-options.ts";
import { readRunningCapture, storeRunningCapture } from "../../lib/site/web/playground/running-capture.ts";
import { parseServerTiming } from "../../lib/site/web/playground/server-timing.ts";
import { readStoredDraft, storeDraft } from "../../lib/site/web/playground/stored-draft.ts";
import { readShareFragment, shareFragment } from "../../lib/site/web/shared/share-link.ts";

const noSecret = () => false;

test("share link: any options come back as they were", async () => {
  const options = fc.dictionary(
    fc.string(),
    fc.oneof(fc.string({ unit: "grapheme" }), fc.boolean(), fc.integer(), fc.array(fc.string())),
    { noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(options, async (sent) => {
      const fragment = await shareFragment(sent, noSecret);
      expect(fragment).toMatch(/^#o=[\w-]*$/);
      expect(await readShareFragment(fragment)).toEqual(sent);
    }),
  );
});

test("share link: leaves out every secret option", async () => {
  const secrets = optionReference().flatMap(({ options }) => options.filter(({ secret }) => secret));
  expect(secrets.length).toBeGreaterThan(5);
  const sent = Object.fromEntries([...secrets.map(({ name }) => [name, "hidden"]), ["url", "https://example.com"]]);
  expect(await readShareFragment(await shareFragment(sent, isSecret))).toEqual({ url: "https://example.com" });
});

test("share link: leaves out an address with a password", async () => {
  const sent = { url: "https://ada:secret@example.com/", format: "pdf", user_agent: "a:b@c" };
  const { url: _, ...shared } = sent;
  expect(await readShareFragment(await shareFragment(sent, noSecret))).toEqual(shared);
});

test.each(["", "#", "#o=", "#o=!!!!", "#o=AAAA", "#other", "#o=q1YqVqpOLS4BAA"])(
  "share link: the damaged fragment '%s' holds nothing",
  async (fragment) => {
    expect(await readShareFragment(fragment)).toBeUndefined();
  },
);

test("share link: refuses a fragment that inflates beyond what a request may hold", async () => {
  const fragment = await shareFragment({ html: "a".repeat(17_000_000) }, noSecret);
  expect(fragment.length).toBeLessThan(50_000);
  expect(await readShareFragment(fragment)).toBeUndefined();
});

/** Stubs the storage of the browser, or that of the tab. Storing a text of more than `maxCharacters` fails. */
function stubStorage(name: "localStorage" | "sessionStorage", maxCharacters = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (text.length > maxCharacters) throw new Error("full");
      items.set(key, text);
    },
    removeItem: (key: string) => void items.delete(key),
  };
  vi.stubGlobal(name, storage);
  onTestFinished(() => void vi.unstubAllGlobals());
  return storage;
}

test("history: keeps the last twenty different requests, the newest first, without secret options", () => {
  stubStorage("localStorage");
  let entries = readHistory();
  for (let index = 0; index < 30; index++) {
    const options = { url: `https://example.com/${index % 25}`, authorization: "hidden" };
    entries = addToHistory(entries, { options, status: 200, sentAt: index }, isSecret);
  }
  expect(readHistory()).toEqual(entries);
  expect(entries).toHaveLength(MAX_HISTORY_ENTRIES);
  expect(entries[0]?.options).toEqual({ url: "https://example.com/4" });
  expect(new Set(entries.map(({ options }) => options["url"])).size).toBe(MAX_HISTORY_ENTRIES);
});

test("history: a damaged storage is an empty history", () => {
  const storage = stubStorage("localStorage");
  storage.setItem("playground-history", '[{"options":1},5,null,{"options":{},"status":200,"sentAt":1}]');
  expect(readHistory()).toHaveLength(1);
  storage.setItem("playground-history", "{");
  expect(readHistory()).toEqual([]);
});

test("Server-Timing: phases with duration and description, without what isn't one", () => {
  expect(parseServerTiming('auth;dur=1.5, browser;dur=20;desc="ready", cache, bad;dur=x')).toEqual([
    { name: "auth", milliseconds: 1.5 },
    { name: "browser", milliseconds: 20, description: "ready" },
  ]);
  expect(parseServerTiming("")).toEqual([]);
});

test.each(presets)("preset $name: the API accepts its options", ({ options, source, input }) => {
  const draft = { ...initialDraft, source: source ?? initialDraft.source, options };
  const inputs = input === undefined ? draft.inputs : { ...draft.inputs, [draft.source]: input };
  expect(() => parseCaptureOptions(requestOptions({ ...draft, inputs }))).not.toThrow();
});

test("request: sends the chosen source and what was changed, and is restored from what was sent", () => {
  const draft = withOption(withOption(initialDraft, "full_page", true), "format", undefined);
  expect(requestOptions(draft)).toEqual({ url: "https://example.com", full_page: true });
  expect(requestOptions(draftFromOptions({ markdown: "# Hi", pdf_margin: "1cm" }))).toEqual({
    markdown: "# Hi",
    pdf_margin: "1cm",
  });
});

test("values: the text of each kind of option is read back as the API takes it", () => {
  const reference = new Map(optionReference().flatMap(({ options }) => options.map((each) => [each.name, each])));
  const roundTrip = (name: string, value: unknown) => {
    const option = reference.get(name);
    if (!option) throw new Error(`There is no option ${name}.`);
    return parseOptionValue(option, showValue(option, value));
  };
  for (const [name, value] of [
    ["image_quality", 70],
    ["delay", 1.5],
    ["full_page", true],
    ["cache", false],
    ["format", "webp"],
    ["hide_selectors", [".a", "#b"]],
    ["styles", ["h1 { color: red }\nh2 { color: blue }"]],
    ["headers", ["X-A: 1", "X-B: 2"]],
  ] as const) {
    expect([name, roundTrip(name, value)]).toEqual([name, value]);
  }
  expect(roundTrip("headers", { "X-A": "1" })).toEqual(["X-A: 1"]);
  const quality = reference.get("image_quality");
  expect(quality && parseOptionValue(quality, "high")).toBe("high"); // the validation names it
  expect(quality && parseOptionValue(quality, " ")).toBeUndefined();
});

test("values: a link with the texts of a query has the values that the form edits", () => {
  const reference = new Map(optionReference().flatMap(({ options }) => options.map((each) => [each.name, each])));
  const sent = { url: "true", full_page: "true", image_width: "640", headers: ["X-A: 1"], unknown: "7", delay: 2 };
  expect(typedOptions(sent, reference)).toEqual({ ...sent, full_page: true, image_width: 640 });
});

const withUrl = (url: string) => ({ ...initialDraft, inputs: { ...initialDraft.inputs, url } });

test("undo: presets and links are undone and redone one by one, and typing keeps what can be undone", () => {
  const [mine, first, second, typed] = ["mine", "first", "second", "typed"].map(withUrl) as [
    ReturnType<typeof withUrl>,
    ReturnType<typeof withUrl>,
    ReturnType<typeof withUrl>,
    ReturnType<typeof withUrl>,
  ];
  const replaced = replace(replace(startHistory(mine), first, "First."), second, "Second.");
  expect(replaced.notice).toBe("Second.");
  expect(replace(replaced, second, "Again.")).toBe(replaced);
  expect([undo(replaced).draft, undo(undo(replaced)).draft, undo(undo(undo(replaced))).draft]).toEqual([
    first,
    mine,
    mine,
  ]);
  expect(redo(undo(undo(replaced))).draft).toEqual(first);
  expect(redo(redo(undo(undo(replaced)))).draft).toEqual(second);
  const edited = edit(undo(replaced), typed);
  expect([undo(edited).draft, redo(edited).draft, edited.notice]).toEqual([mine, typed, undefined]);
});

test("stored draft: comes back with its undo steps and the fragment, and without the steps if the storage is full", () => {
  const history = replace(startHistory(initialDraft), withUrl("https://example.org"), "Replaced.");
  stubStorage("sessionStorage", 2_000);
  storeDraft({ history, fragment: "#o=A" });
  const { notice: _, ...kept } = history;
  expect(readStoredDraft()).toEqual({ history: kept, fragment: "#o=A" });
  const large = replace(history, withUrl("x".repeat(900)));
  storeDraft({ history: large, fragment: "" });
  expect(readStoredDraft()).toEqual({ history: { ...large, past: [], notice: undefined }, fragment: "" });
});

test.each([
  "",
  "null",
  "[]",
  '{"fragment":""}',
  '{"fragment":"","history":{"draft":{"source":"file","inputs":{},"options":{}}}}',
])("stored draft: the damaged text '%s' holds none", (text) => {
  vi.stubGlobal("sessionStorage", { getItem: () => text });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(readStoredDraft()).toBeUndefined();
  expect(readRunningCapture()).toBeUndefined();
});

test("running capture: is found until it has ended", () => {
  stubStorage("sessionStorage");
  const capture = { requestId: 7, sent: { url: "https://example.com" }, startedAt: 1_795_282_503_112 };
  storeRunningCapture(capture);
  expect(readRunningCapture()).toEqual(capture);
  storeRunningCapture();
  expect(readRunningCapture()).toBeUndefined();
});

/** Polls of a capture that takes so long, for an account with this rate limit. */
function pollsOf(captureMs: number, limit: number): number {
  let polls = 0;
  for (let elapsedMs = 120; ; elapsedMs += pollDelayMs(elapsedMs, { limit, remaining: limit - polls })) {
    polls++;
    if (elapsedMs >= captureMs) return polls;
  }
}

test("polls: a capture is seen soon, and leaves room in the rate limit", () => {
  expect(pollDelayMs(0, undefined)).toBeLessThanOrEqual(150);
  expect(pollDelayMs(10_000, undefined)).toBeLessThanOrEqual(2_000);
  expect(pollsOf(30_000, 120)).toBeLessThan(30);
  expect(pollsOf(30_000, 10)).toBeLessThan(12);
  expect(pollDelayMs(0, { limit: 10, remaining: 1 })).toBe(6_000);
});
