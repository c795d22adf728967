// Blocked requests and cosmetic filtering in real pages: by their pixels, and by the hosts they contacted.
import { FiltersEngine } from "@ghostery/adblocker";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FilterLists } from "../../../lib/engine/adblock/filter-lists.ts";
import type { BrowserSession } from "../../../lib/engine/browser/browser.ts";
import { decode } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { adPlaces } from "../../fixtures/site-pages/ads.ts";
import { BAND_HEIGHT, bandColour, GREEN, RED, WHITE } from "../../fixtures/site-pages.ts";
import { captureWith, failureOf, noLists } from "../../support/chromium.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const NAME = "news.example";
const small = { viewport_width: 300, viewport_height: 200 };

/** The fixture site under a host name, because lists exempt loopback. Also records which other hosts were contacted. */
async function visit(path: string, options: Readonly<Record<string, unknown>> = {}, lists?: FilterLists) {
  const hosts: string[] = [];
  const resolve = async (host: string) => {
    if (host === NAME) return ["127.0.0.1"];
    hosts.push(host);
    throw new Error("There is no such host here.");
  };
  const url = site.origin.replace("127.0.0.1", NAME) + path;
  const surroundings = { allow: [site.hostPort], resolve, ...(lists && { lists }) };
  const { body, metadata, warnings, format } = await captureWith({ url, timeout: 20, ...options }, surroundings);
  return { body, format, metadata, warnings, hosts, image: () => decode(body) };
}

/** Lists of a few rules in place of the real ones, for `ads` and for `trackers`. */
function lists(ads: string, trackers = ""): FilterLists {
  const engines: Readonly<Record<string, string>> = { ads, trackers };
  const engine = async (purpose: string) => {
    return FiltersEngine.parse(engines[purpose] ?? "", { loadExtendedSelectors: true });
  };
  return { ...noLists, engine };
}

const square = (attributes: string, colour = "red", inside = "") =>
  `<div ${attributes} style="height:50px;background:${colour}">${inside}</div>`;
const styled = (body: string) => `<!doctype html><style>body{margin:0}</style>${body}`;

/** The colours at the left edge of HTML, one per 50 px. */
async function coloursOf(html: string, rules: string, options: Readonly<Record<string, unknown>> = {}) {
  const given = { html: styled(html), ...small, block_ads: true, ...options };
  const { body } = await captureWith(given, { lists: lists(rules) });
  return (await decode(body)).columnColours(5, 50);
}

describe("filter lists", () => {
  const bands = Object.keys(adPlaces).length + 1;
  const window = { viewport_width: 300, viewport_height: bands * BAND_HEIGHT };
  const bandsOf = async ({ image }: Awaited<ReturnType<typeof visit>>) =>
    (await image()).columnColours(5, BAND_HEIGHT).slice(0, bands);

  test("remove advertisements from an article, and make no requests for them", async () => {
    const blocked = await visit("/news", { ...window, block_ads: true, block_trackers: true });
    expect(await bandsOf(blocked)).toEqual(Array.from({ length: bands }, (_, band) => bandColour(band)));
    expect(blocked.hosts).toEqual([]);
    expect(blocked.metadata.blocked?.requests).toBeGreaterThanOrEqual(15);
  });

  test("have one purpose each: that of trackers does not block ads", async () => {
    const visited = await visit("/news", { ...window, block_trackers: true });
    expect(visited.hosts).toContain("pagead2.googlesyndication.com");
    expect(visited.hosts).not.toContain("www.googletagmanager.com");
    expect(await bandsOf(visited)).not.toEqual(Array.from({ length: bands }, (_, band) => bandColour(band)));
  });

  slowTest("block what an article requests without them", async () => {
    const plain = await visit("/news", { full_page: true });
    expect((await plain.image()).height).toBeGreaterThan(bands * BAND_HEIGHT + 1000);
    expect(plain.hosts.length).toBeGreaterThan(10);
    expect(plain.hosts).toContain("www.googletagmanager.com");
  });

  slowTest("do not change a pixel of a page without advertisements", async () => {
    const every = ["ads", "trackers", "cookie_banners", "socials", "chats", "annoyances"].map((of) => [
      `block_${of}`,
      true,
    ]);
    const [plain, blocked] = [await visit("/innocent"), await visit("/innocent", Object.fromEntries(every))];
    expect(blocked.body.equals(plain.body)).toBe(true);
    expect(blocked.metadata.blocked).toMatchObject({ requests: 0 });
  });

  slowTest("hide elements that are added late", async () => {
    const { image } = await visit("/late-ads", {
      ...small,
      viewport_height: 4 * BAND_HEIGHT,
      block_ads: true,
      wait_for_expression: "document.body.style.background",
    });
    expect((await image()).columnColours(5, BAND_HEIGHT).slice(0, 4)).toEqual([
      ...[0, 1, 2].map((band) => bandColour(band)),
      GREEN,
    ]);
  });

  slowTest("hide elements in HTML and Markdown of the caller, with and without a base URL", async () => {
    const html = styled(`${adPlaces["Taboola"]}${square("", "green", "Text")}`);
    const at = { base_url: "https://news.example/a" };
    for (const source of [{ html }, { html, ...at }, { html, dark_mode: true }]) {
      const { body } = await captureWith({ ...source, ...small, block_ads: true });
      expect((await decode(body)).colourAt(290, 5)).toEqual(GREEN);
    }
    const markdown = `<div id="taboola-below-article-thumbnails">Advertisement</div>\n\nText`;
    for (const source of [{ markdown }, { markdown, ...at }]) {
      const { body } = await captureWith({ ...source, format: "text", block_ads: true });
      expect(body.toString().trim()).toBe("Text");
    }
  });

  slowTest("hide elements in videos", async () => {
    const html = styled(`${square('class="late-ad"')}${square("", "green")}`);
    const options = { html, ...small, format: "animated_webp", video_duration: 1, block_ads: true };
    const { body } = await captureWith(options, { lists: lists("##.late-ad") });
    const [red = 0, green = 0] = (await decode(body)).colourAt(5, 5);
    expect(green).toBeGreaterThan(red + 80);
  });

  test("hide elements where the page's scripts are disabled", async () => {
    const html = `${square('class="promo"')}${square("", "green")}`;
    expect(await coloursOf(html, "##.promo", { javascript: false })).toMatchObject([GREEN, WHITE, WHITE, WHITE]);
  });

  test("hide elements despite a content security policy, and when the page replaces its style sheets", async () => {
    const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-a'; script-src 'nonce-a'">`;
    const html = `<!doctype html>${policy}<style nonce="a">body{margin:0} div{height:50px} .promo{background:red} .own{background:green}</style>
      <div class="promo"></div><div class="own"></div>
      <script nonce="a">addEventListener("load", () => setTimeout(() => {
        document.adoptedStyleSheets = [];
        document.body.append("Text");
        document.title = "replaced";
      }, 100))</script>`;
    const at = { base_url: "https://news.example/", wait_for_expression: "document.title" };
    const { body } = await captureWith({ html, ...small, ...at, block_ads: true }, { lists: lists("##.promo") });
    expect((await decode(body)).colourAt(5, 5)).toEqual(GREEN);
  });

  test("apply before the first script of the page runs, and leave no trace in its markup", async () => {
    const script = `<script>document.title = getComputedStyle(document.querySelector(".promo")).display</script>`;
    const html = `<p class="promo">Advertisement</p><p>Text</p>${script}`;
    const options = { html, format: "html", block_ads: true, base_url: `https://${NAME}/` };
    const { body } = await captureWith(options, { lists: lists(`${NAME}##.promo`) });
    expect(body.toString()).toContain("<title>none</title>");
    expect(body.toString().replace(script, "")).not.toMatch(/<style|<script|display/);
  });

  slowTest("stop following a page that creates elements forever", async () => {
    const { image } = await visit("/endless-names", { ...small, block_ads: true, wait_until: "load" });
    expect((await image()).colourAt(290, 190)).toEqual(GREEN);
  });

  slowTest("handle a page of 2,000 ids and classes", async () => {
    const { image } = await visit("/many-names", { block_ads: true, block_trackers: true, block_annoyances: true });
    expect((await image()).colourAt(1270, 1010)).toEqual(GREEN);
  });

  test("fail the capture when their files are missing", async () => {
    const failure = await failureOf(captureWith({ html: "Text", format: "text", block_ads: true }, { lists: noLists }));
    expect(failure.code).toBe("INTERNAL_ERROR");
  });
});

describe("cosmetic rules", () => {
  const HEIGHT = 30;
  const at = { base_url: `https://${NAME}/` };

  /** Which boxes are hidden by rules; `ID` in a rule is replaced by the id of a box, which is its class too. */
  async function hiddenBy(rules: Readonly<Record<string, string>>, more = "", trackers = "") {
    const ids = Object.keys(rules).map((_, index) => `box-${index}`);
    const boxes = ids.map((id) => {
      const sponsored = `<p style="margin:0 0 0 30px"><a href="https://ads.test/${id}">Sponsored words</a></p>`;
      return `<section style="height:${HEIGHT}px;background:green">
        <div id="${id}" class="${id} c" style="height:${HEIGHT}px;background:red">${sponsored}</div></section>`;
    });
    const text = Object.values(rules).map((rule, index) => rule.replaceAll("ID", `box-${index}`));
    const options = {
      html: styled(`${boxes.join("")}Text`),
      ...small,
      viewport_height: HEIGHT * (ids.length + 1),
      ...at,
    };
    const { body } = await captureWith(
      { ...options, block_ads: true, block_trackers: trackers !== "" },
      { lists: lists([...text, more].join("\n"), trackers) },
    );
    const colours = (await decode(body)).columnColours(5, HEIGHT);
    return Object.fromEntries(Object.keys(rules).map((name, index) => [name, `${colours[index]}` === `${GREEN}`]));
  }
  const all = (rules: Readonly<Record<string, string>>, hidden: boolean) =>
    Object.fromEntries(Object.keys(rules).map((name) => [name, hidden]));

  test("match elements by names, context, text and style, and on the sites they name", async () => {
    const hiding = {
      "an id": "###ID",
      "a class": "##.ID",
      "a link": '##a[href^="https://ads.test/ID"]\n##section:has(> div > p > a[href$="/ID"]) > div',
      "what no name tells": '##div[id="ID"]',
      "its contents": '##div:has(> p a[href$="/ID"])',
      "its words": `${NAME}###ID:has-text(Sponsored)`,
      "its words by an expression": `${NAME}###ID:has-text(/spons.*WORDS/i)`,
      "something above": `${NAME}###ID a:has-text(words):upward(2)`,
      "something above by a selector": `${NAME}###ID a:has-text(words):upward(.c)`,
      "its look": `${NAME}###ID:matches-css(height: ${HEIGHT}px):has-text(words)`,
      "its attributes": `${NAME}##div:matches-attr("id"="/^ID$/")`,
      "a path in the tree": `${NAME}##:xpath(//div[@id='ID'])`,
      "what is in what is in it": `${NAME}###ID:has(p:has(a:has-text(Sponsored)))`,
      "words it does not have": `${NAME}###ID:not(:has-text(Nothing)):matches-attr(id)`,
      "a path of the site": `${NAME}###ID:matches-path(/^\\/$/)`,
      "what is to be removed": `${NAME}##.ID:remove()`,
      "a style of its own": `${NAME}##.ID:style(height: 0 !important; overflow: hidden;)`,
      "a style of what words tell": `${NAME}###ID:has-text(words):style(height: 0 !important; overflow: hidden;)`,
      "for all pages": "##.ID",
      "for this site": `${NAME}##.ID`,
      "for all but another site": "~other.example##.ID",
      "taken back for another site": "##.ID\nother.example#@#.ID",
      "beyond CSS, taken back for another site": `${NAME}##.ID:has-text(words)\nother.example#@#.ID:has-text(words)`,
    };
    const leaving = {
      "for another site": "other.example##.ID",
      "for all but this site": `~${NAME}##.ID`,
      "taken back for this site": `##.ID\n${NAME}#@#.ID`,
      "without a name, taken back for this site": `##div[id="ID"]\n${NAME}#@#div[id="ID"]`,
      "beyond CSS, taken back for this site": `${NAME}##.ID:has-text(words)\n${NAME}#@#.ID:has-text(words)`,
      "of other words": `${NAME}###ID:has-text(Other)`,
      "of another path": `${NAME}###ID:matches-path(/other)`,
    };
    const hidden = await hiddenBy({ ...hiding, ...leaving });
    expect(hidden).toEqual({ ...all(hiding, true), ...all(leaving, false) });
  });

  sampled(test, 6).each([
    ["none of those for all pages", `@@||${NAME}^$generichide`, [false, false, true]],
    ["none of its own", `@@||${NAME}^$specifichide`, [true, true, false]],
    ["to be left alone", `@@||${NAME}^$document`, [false, false, false]],
  ])("know that a page wants %s", async (_, exception, hidden) => {
    const rules = { class: "##.ID", selector: '##div[id="ID"]', site: `${NAME}##.ID` };
    expect(Object.values(await hiddenBy(rules, exception))).toEqual(hidden);
  });

  test("apply although others are invalid CSS", async () => {
    expect(await hiddenBy({ invalid: "##[a=", valid: "##.ID" }, "##b:is(")).toEqual({ invalid: false, valid: true });
  });

  test("are disabled by an exception of another list", async () => {
    const rules = { class: "##.box-0", selector: '##div[id="box-1"]', site: `${NAME}##.box-2`, other: "##.box-3" };
    const exceptions = ["#@#.box-0", '#@#div[id="box-1"]', "#@#.box-2"].map((exception) => NAME + exception);
    expect(await hiddenBy(rules, "", exceptions.join("\n"))).toEqual({
      ...{ class: false, selector: false, site: false },
      other: true,
    });
  });

  test("apply in frames, each by its own URL", async () => {
    const frame = (where: string) =>
      `<iframe ${where} style="display:block;border:0;width:300px;height:100px"></iframe>`;
    const inner = `<style>body{margin:0;background:green}</style>${square("class=b")}${square("class=c")}`.replaceAll(
      '"',
      "&quot;",
    );
    const outer = `${frame(`srcdoc="${inner}"`)}${frame("id=f")}<script>
      f.contentDocument.write(\`${inner.replaceAll("&quot;", '"')}\`); f.contentDocument.close()</script>Text`;
    const colours = await coloursOf(outer, `${NAME}##.b\nother.example##.c`, { ...at, viewport_height: 250 });
    expect(colours.slice(0, 4)).toEqual([RED, GREEN, RED, GREEN]);
  });
});

describe("blocked requests", () => {
  const came = (path: string) => site.requests.some((request) => request.path === path);
  const fresh = () => `${Math.random()}`.slice(2);

  sampled(test, 6).each([
    ["a part of the address", "/solid-image"],
    ["a pattern", "*/solid-image*name=*"],
    ["a host", NAME],
  ])("by the caller's %s do not go out, and no frame of them is left", async (_, pattern) => {
    const path = `/solid-image?colour=255,0,0&after=0&name=${fresh()}`;
    const at = site.origin.replace("127.0.0.1", NAME);
    const html = styled(`<img src="${at}${path}" style="display:block;width:300px;height:50px;border:9px solid red">
      <iframe src="${at}${path}" style="display:block;width:300px;height:50px;background:red"></iframe>${square("", "green")}`);
    const resolve = async () => ["127.0.0.1"];
    const options = { html, ...small, block_requests: [pattern] };
    const { body, metadata } = await captureWith(options, { allow: [site.hostPort], resolve });
    expect((await decode(body)).colourAt(5, 5)).toEqual(GREEN);
    expect(metadata.blocked).toMatchObject({ requests: 2 });
    expect(came(path)).toBe(false);
  });

  test("never include the page itself, nor the targets of redirects and clicks", async () => {
    const { image } = await visit("/bands?count=1", { ...small, block_requests: ["*"], block_resources: ["document"] });
    expect((await image()).colourAt(5, 5)).toEqual(bandColour(0));
  });

  const kinds = ["document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch"] as const;
  const more = ["eventsource", "websocket", "manifest", "other"] as const;

  slowTest("can be of any resource type, with fetch and XMLHttpRequest as one", async () => {
    const wanted = [...kinds, ...more].filter((kind) => kind !== "manifest"); // a shell asks for no manifest
    const choices: readonly (readonly string[])[] = [[], ["image", "websocket", "xhr", "texttrack"], wanted];
    for (const blocked of choices) {
      const before = site.requests.length;
      await visit("/asks-for-all", { ...small, block_resources: blocked, wait_until: ["load"], delay: 0.3 });
      const requested = site.requests.slice(before).map(({ path }) => path.replace("/asked/", ""));
      expect(wanted.filter((kind) => requested.includes(kind))).toEqual(
        wanted.filter((kind) => !blocked.includes(kind) && !(kind === "fetch" && blocked.includes("xhr"))),
      );
    }
  });

  slowTest(
    "include those of a dedicated worker and its web sockets, are not reported as failed, and not waited for",
    async () => {
      const before = site.requests.length;
      const { metadata, warnings } = await visit("/asks-for-all", {
        ...{ block_requests: ["/asked/", "worker-"], fail_if_request_failed: ["/asked/"], format: "text" },
        ...{ metadata_requests: true, response_type: "json", wait_until: ["networkidle0"], delay: 0.3 },
      });
      expect(warnings).toEqual([]);
      expect(metadata.requests).toMatchObject({ failed: 0 });
      const images = metadata.requests?.list.filter(({ url }) => url.endsWith("/asked/image"));
      expect(images).toMatchObject([{ status_code: null, failed: "blocked" }]);
      const requested = site.requests.slice(before).map(({ path }) => path);
      expect(requested).toContain("/asks.js?worker");
      expect(requested.filter((path) => /worker-|^\/asked\//.test(path))).toEqual([]);
    },
  );
});

describe("with nothing to block", () => {
  /** The DevTools commands of a capture. */
  async function toldDuring(options: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const reported: string[] = [];
    const launched = ({ cdp }: BrowserSession) => {
      const send = cdp.send.bind(cdp);
      cdp.send = ((method: never, ...rest: never[]) => {
        const isUsual = /commitEveryFrame|recordPageErrors/.test(JSON.stringify(rest)); // in each capture, with blocking and without
        if (!isUsual) reported.push(method);
        return (send as (...all: never[]) => Promise<never>)(method, ...rest);
      }) as typeof cdp.send;
    };
    await captureWith({ html: "<p>Text", format: "text", ...options }, { launched, lists: lists("||ads.test^") });
    return reported;
  }
  const MEANS = ["Fetch.enable", "Runtime.enable", "Runtime.addBinding", "Page.addScriptToEvaluateOnNewDocument"];

  test("no request is intercepted, and no script added to the page", async () => {
    expect((await toldDuring({})).filter((method) => MEANS.includes(method))).toEqual([]);
    expect(new Set((await toldDuring({ block_ads: true })).filter((method) => MEANS.includes(method)))).toEqual(
      new Set(MEANS),
    );
  });

  test("and without lists, only the blocked resource types are intercepted", async () => {
    expect((await toldDuring({ block_resources: ["image"] })).filter((method) => MEANS.includes(method))).toEqual([
      "Fetch.enable",
    ]);
    const sockets = await toldDuring({ block_resources: ["websocket"] });
    expect(sockets.filter((method) => MEANS.includes(method))).toEqual(["Page.addScriptToEvaluateOnNewDocument"]);
  });
});
