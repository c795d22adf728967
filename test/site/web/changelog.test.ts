// The changelog in a browser: the buttons that choose changes, and its Atom feed as a reader of feeds parses it.
import { expect, inject, test } from "vitest";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

test("changelog: shows the changes of customers first, the others by a button, and names a feed that RFC 4287 allows", async () => {
  await using opened = await browser.open(`${baseUrl}/docs/changelog`);
  const { page, problems } = opened;
  const shown = () =>
    page.$$eval("[data-change]", (changes) => [
      ...new Set(
        changes.filter((change) => change.checkVisibility()).map((change) => (change as HTMLElement).dataset["change"]),
      ),
    ]);
  expect(await shown()).toEqual(["Dashboard", "API"]);
  await page.click("[data-change-filter] [value=Operation]");
  await page.click("[data-change-filter] [value=Dashboard]");
  await page.waitForFunction(
    () => document.querySelector("[value=Dashboard]")?.getAttribute("aria-pressed") === "false",
  );
  expect((await shown()).toSorted()).toEqual(["API", "Operation"]);
  await page.click("[data-change-filter] [value=API]");
  await page.click("[data-change-filter] [value=Operation]");
  expect(
    await page.$$eval(".changelog h2, .changelog h3", (all) => all.filter((each) => each.checkVisibility()).length),
  ).toBe(0);

  const feed = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>("link[type='application/atom+xml']")?.href ?? "";
    const response = await fetch(address);
    const xml = new DOMParser().parseFromString(await response.text(), "application/xml");
    const texts = (parent: ParentNode, name: string) =>
      [...parent.querySelectorAll(`:scope > ${name}`)].map((each) => each.textContent ?? "");
    const root = xml.documentElement;
    return {
      type: response.headers.get("content-type"),
      namespace: root.namespaceURI,
      self: root.querySelector(":scope > link[rel=self]")?.getAttribute("href"),
      address,
      own: ["title", "id", "updated"].map((name) => texts(root, name).length),
      authors: [...root.querySelectorAll(":scope > author > name")].length,
      entries: [...root.querySelectorAll(":scope > entry")].map((entry) => ({
        ids: texts(entry, "id"),
        updated: texts(entry, "updated"),
        titles: texts(entry, "title").length,
        link: entry.querySelector("link[rel=alternate]")?.getAttribute("href"),
        content: entry.querySelector("content[type=html]")?.textContent ?? "",
      })),
    };
  });
  expect(feed).toMatchObject({
    type: expect.stringContaining("application/atom+xml"),
    namespace: "http://www.w3.org/2005/Atom",
    self: `${baseUrl}/docs/changelog.atom`,
    own: [1, 1, 1],
    authors: 1,
  });
  expect(feed.address).toBe(feed.self);
  expect(feed.entries.length).toBeGreaterThan(5);
  for (const { ids, updated, titles, link, content } of feed.entries) {
    expect([ids.length, titles, updated.length]).toEqual([1, 1, 1]);
    expect(ids[0]).toBe(link);
    expect(Number.isNaN(Date.parse(updated[0] ?? ""))).toBe(false);
    expect(content).toContain("<li>");
    expect(content).not.toMatch(/(?:href|src)="\/|%BASE/);
  }
  const anchors = await page.$$eval(".changelog h2", (all) => all.map(({ id }) => id));
  const targets = feed.entries.map(({ link }) => URL.parse(link ?? "")?.hash.slice(1));
  expect(targets).toEqual(anchors.slice(1)); // all but Unreleased
  expect(new Set(targets).size).toBe(targets.length);
  expect(problems).toEqual([]);
});
