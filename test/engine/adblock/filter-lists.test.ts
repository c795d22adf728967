// The filter lists of the layer: what each purpose blocks, and what none of them blocks.
import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FiltersEngine, Request } from "@ghostery/adblocker";
import { afterAll, describe, expect, test } from "vitest";
import { buildBlockingLayer } from "../../../layers/blocking/build.ts";
import { type Purpose, purposes } from "../../../lib/contract/options/filter-purposes.ts";
import { createFilterLists } from "../../../lib/engine/adblock/filter-lists.ts";

const built = join(buildBlockingLayer(), "blocking");
const lists = createFilterLists(built);
const folder = mkdtempSync(join(tmpdir(), "filter-lists-"));
afterAll(() => rmSync(folder, { recursive: true }));

const site = "https://www.site.example/";
const matched = (engine: FiltersEngine, url: string, type = "script") =>
  engine.match(Request.fromRawDetails({ url, sourceUrl: site, type: type as "script" }));

/** Styles and selectors for a page of a host that has elements of these ids and classes. */
function stylesFor(
  engine: FiltersEngine,
  hostname: string,
  found: { ids?: string[]; classes?: string[] } = {},
): string {
  const domain = hostname.split(".").slice(-2).join(".");
  return engine.getCosmeticsFilters({ url: `https://${hostname}/`, hostname, domain, ...found }).styles;
}

describe.each<[Purpose, [url: string, type: string][]]>([
  [
    "ads",
    [
      ["https://securepubads.g.doubleclick.net/tag/js/gpt.js", "script"],
      ["https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=ca-pub-1", "script"],
      ["https://cdn.taboola.com/libtrc/publisher/loader.js", "script"],
      ["https://widgets.outbrain.com/outbrain.js", "script"],
      ["https://c.amazon-adsystem.com/aax2/apstag.js", "script"],
      ["https://js.stroeermediabrands.de/start.js", "script"], // by the list for German pages
    ],
  ],
  [
    "trackers",
    [
      ["https://www.google-analytics.com/analytics.js", "script"],
      ["https://www.google-analytics.com/g/collect?v=2", "ping"],
      ["https://static.hotjar.com/c/hotjar-1.js?sv=6", "script"],
      ["https://connect.facebook.net/en_US/fbevents.js", "script"],
      ["https://bat.bing.com/bat.js", "script"],
    ],
  ],
  [
    "cookies",
    [
      ["https://cdn.cookielaw.org/scripttemplates/otSDKStub.js", "script"],
      ["https://consent.cookiebot.com/uc.js", "script"],
    ],
  ],
  [
    "socials",
    [
      ["https://platform-api.sharethis.com/js/sharethis.js", "script"],
      ["https://static.addtoany.com/menu/page.js", "script"],
    ],
  ],
  ["chats", [["https://embed.tawk.to/1/default", "script"]]],
  ["annoyances", [["https://cdn.onesignal.com/sdks/OneSignalSDK.js", "script"]]],
])("the lists for %s", (purpose, known) => {
  test.each(known)("block %s", async (url, type) => {
    const { match, exception } = matched(await lists.engine(purpose), url, type);
    expect({ match, exception }).toEqual({ match: true, exception: undefined });
  });

  test.each([
    ["https://www.site.example/app.js", "script"],
    ["https://cdn.jsdelivr.net/npm/vue@3/dist/vue.global.js", "script"],
    ["https://fonts.gstatic.com/s/roboto/v30/roboto.woff2", "font"],
    ["https://images.unsplash.com/photo-1.jpg?w=1200", "image"],
    ["https://unpkg.com/leaflet@1.9.4/dist/leaflet.css", "stylesheet"],
    ["https://api.site.example/articles?page=2", "xmlhttprequest"],
  ])("let %s through", async (url, type) => {
    expect(matched(await lists.engine(purpose), url, type).match).toBe(false);
  });

  test("hide no element because of an everyday name alone", async () => {
    const everyday = ["main", "header", "footer", "content", "article", "button", "nav", "banner", "modal", "sidebar"];
    const styles = stylesFor(await lists.engine(purpose), "www.site.example", { ids: everyday, classes: everyday });
    const selectors = styles.replaceAll(/\{[^}]*\}/g, ",").split(/,\s*/);
    expect(everyday.filter((name) => selectors.includes(`#${name}`) || selectors.includes(`.${name}`))).toEqual([]);
  });
});

test.each([
  "https://widget.intercom.io/widget/abc123",
  "https://js.driftt.com/include/1/abc.js",
  "https://static.zdassets.com/ekr/snippet.js?key=1",
  "https://client.crisp.chat/l.js",
  "https://embed.tawk.to/1/default",
  "https://js.usemessages.com/conversations-embed.js",
  "https://cdn.livechatinc.com/tracking.js",
  "https://code.tidio.co/abc.js",
  "https://wchat.freshchat.com/js/widget.js",
  "https://static.olark.com/jsclient/loader.js",
  "https://beacon-v2.helpscout.net/",
  "https://lptag.liveperson.net/tag/tag.js?site=1",
  "https://org.my.site.com/ESWorg/assets/js/bootstrap.min.js",
  "https://salesiq.zoho.eu/widget",
])("the chat of %s is known", async (url) => {
  expect(matched(await lists.engine("chats"), url).match).toBe(true);
});

test.each([
  "https://js.hs-scripts.com/1.js",
  "https://js.hsforms.net/forms/v2.js",
  "https://static.zdassets.com/hc/assets/application.js",
  "https://connect.facebook.net/en_US/sdk.js",
])("what a chat's vendor offers besides is let through: %s", async (url) => {
  expect(matched(await lists.engine("chats"), url).match).toBe(false);
});

test.each<[Purpose, { ids?: string[]; classes?: string[] }]>([
  ["ads", { classes: ["adsbygoogle"] }],
  ["cookies", { ids: ["onetrust-consent-sdk"] }],
  ["socials", { classes: ["addtoany_share_save_container"] }],
  ["chats", { classes: ["crisp-client"] }],
])("what %s leave in a page is hidden: %o", async (purpose, found) => {
  const engine = await lists.engine(purpose);
  const [name] = Object.values(found).flat();
  expect(stylesFor(engine, "www.site.example", found)).toContain(`${name}`);
  expect(stylesFor(engine, "www.site.example")).not.toContain(`#${name},`);
});

test("filter lists: exceptions of a list apply", async () => {
  const engine = await lists.engine("chats");
  const request = (sourceUrl: string) =>
    engine.match(Request.fromRawDetails({ url: "https://js.driftt.com/include/1/a.js", sourceUrl, type: "script" }));
  expect(request("https://www.sanity.io/")).toMatchObject({ match: false, exception: expect.anything() });
});

test("filter lists: style rules of AdGuard unlock a site", async () => {
  expect(stylesFor(await lists.engine("cookies"), "www.flightradar24.com")).toContain("overflow: auto !important");
});

test.each(purposes)("filter lists: procedural filters are separated from CSS: %s", async (purpose) => {
  const rules = (await lists.engine(purpose)).cosmetics.getFilters();
  const beyond = rules.filter((rule) => /:(has-text|matches-css|upward|xpath|remove)\(/.test(rule.getSelector()));
  expect(beyond.length).toBeGreaterThan(10);
  expect(beyond.filter((rule) => !rule.isExtended()).map((rule) => rule.getSelector())).toEqual([]);
});

test("filter lists: each engine is loaded once", async () => {
  const some = createFilterLists(built);
  for (const purpose of purposes) expect(await some.engine(purpose)).toBe(await some.engine(purpose));
});

test("filter lists: engines are loaded again when a link names another folder", async () => {
  const link = join(folder, "link");
  symlinkSync(built, link);
  const linked = createFilterLists(link);
  const before = await linked.engine("chats");
  const copy = join(folder, "copy");
  cpSync(built, copy, { recursive: true });
  rmSync(link);
  symlinkSync(copy, link);
  const after = await linked.engine("chats");
  expect(after).not.toBe(before);
  expect(await linked.engine("chats")).toBe(after);
});

test("filter lists: a missing file is an error", async () => {
  await expect(createFilterLists(folder).engine("ads")).rejects.toThrow(`The filter lists at ${folder}/ads.engine`);
});

test("filter lists: a file of another engine version is an error", async () => {
  writeFileSync(join(folder, "trackers.engine"), Buffer.alloc(64));
  await expect(createFilterLists(folder).engine("trackers")).rejects.toMatchObject({
    message: `The filter lists at ${folder}/trackers.engine cannot be used.`,
    cause: { message: expect.stringContaining("version") },
  });
});

test("filter lists: other files in the folder are ignored", async () => {
  copyFileSync(join(built, "chats.engine"), join(folder, "chats.engine"));
  await expect(createFilterLists(folder).engine("chats")).resolves.toBeDefined();
});
