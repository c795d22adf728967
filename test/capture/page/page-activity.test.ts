import { EventEmitter } from "node:events";
import type { HTTPRequest } from "puppeteer-core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type FollowedPage, PageActivity } from "../../../lib/capture/page/page-activity.ts";
import { defaultLimits } from "../../../lib/contract/capture-limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const mainFrame = {};
const url = "https://a.test/";

/** A page of which only the events count. It begins empty, as document `blank` of frame `main`. */
function fakePage() {
  const page = Object.assign(new EventEmitter(), { mainFrame: () => mainFrame });
  const cdp = new EventEmitter();
  const exceeded: string[] = [];
  const bounds = {
    limits: { ...defaultLimits, requests: 20, redirects: 2 },
    exceed: (limit: string) => exceeded.push(limit),
  };
  const activity = new PageActivity({ page, cdp, ...bounds } as unknown as FollowedPage);
  const tell = (loaderId: string, name: string, frameId = "main") =>
    cdp.emit("Page.lifecycleEvent", { frameId, loaderId, name });
  tell("blank", "init");
  return { page, cdp, activity, exceeded, tell };
}

function request(
  address: string,
  { id = "", type = "image", document = false, frame = mainFrame, errorText = "" } = {},
) {
  return {
    id,
    url: () => address,
    resourceType: () => type,
    redirectChain: () => [],
    isNavigationRequest: () => document,
    frame: () => frame,
    failure: () => ({ errorText }),
  } as unknown as HTTPRequest;
}

const navigation = (id: string, address = url, errorText = "") =>
  request(address, { id, document: true, type: "document", errorText });

describe("requests", () => {
  test("are pending from when they begin until they have finished or failed, oldest first", () => {
    const { page, activity } = fakePage();
    const [one, two, three] = ["1", "2", "3"].map((path) => request(url + path));
    for (const begun of [one, two, three]) page.emit("request", begun);
    page.emit("requestfinished", two);
    expect(activity.pending()).toEqual([`${url}1`, `${url}3`]);
    page.emit("requestfailed", one);
    expect(activity.pending()).toEqual([`${url}3`]);
  });

  test("are told of without the credentials in their addresses", () => {
    const { page, activity } = fakePage();
    const [open, failed] = [
      request("https://u:p@a.test/1"),
      request("https://u:p@a.test/2", { errorText: "net::ERR_FAILED" }),
    ];
    for (const begun of [open, failed]) page.emit("request", begun);
    page.emit("requestfailed", failed);
    expect([activity.pending(), activity.failures]).toEqual([
      ["https://a.test/1"],
      [{ url: "https://a.test/2", reason: "net::ERR_FAILED" }],
    ]);
  });

  test.each([["websocket"], ["eventsource"], ["ping"], ["preflight"], ["cspviolationreport"]])(
    "of the kind %s are never waited for",
    (type) => {
      const { page, activity } = fakePage();
      page.emit("request", request(url, { type }));
      expect(activity.pending()).toEqual([]);
    },
  );
});

describe("polling", () => {
  test("is not waited for: a script that asks for the same address over and over", () => {
    const { page, activity } = fakePage();
    for (let time = 0; time < 20; time++) page.emit("request", request(`${url}beat?at=${time}`, { type: "fetch" }));
    expect(activity.pending()).toHaveLength(9);
  });

  test("is not what images do that differ in their query", () => {
    const { page, activity } = fakePage();
    for (let n = 0; n < 20; n++) page.emit("request", request(`${url}image?n=${n}`));
    expect(activity.pending()).toHaveLength(20);
  });
});

describe("requests that brought nothing", () => {
  test("are kept with the reason: an error status, or an error of the network", () => {
    const { page, activity } = fakePage();
    const [refused, lost] = [request(`${url}1`), request(`${url}2`, { errorText: "net::ERR_FAILED" })];
    page.emit("response", { url: () => `${url}1`, status: () => 404, request: () => refused });
    page.emit("requestfailed", lost);
    expect(activity.failures).toEqual([
      { url: `${url}1`, reason: "404" },
      { url: `${url}2`, reason: "net::ERR_FAILED" },
    ]);
  });
});

describe("what has been painted", () => {
  test("is told of the document, which begins without anything", () => {
    const { page, activity, tell } = fakePage();
    page.emit("request", navigation("a"));
    tell("a", "init");
    const before = [activity.document.painted, activity.document.contentPainted];
    tell("a", "firstContentfulPaint");
    tell("a", "firstPaint");
    expect([before, activity.document.painted, activity.document.contentPainted]).toEqual([[false, false], true, true]);
  });
});

test("what a frame paints is part of the page", () => {
  const { page, activity, tell } = fakePage();
  page.emit("request", navigation("a"));
  tell("a", "init");
  tell("f", "firstContentfulPaint", "inner");
  expect(activity.document.contentPainted).toBe(true);
});

describe("requests from now on", () => {
  test("are those that are waited for, not the older ones", async () => {
    const { page, activity } = fakePage();
    page.emit("request", request(`${url}old`));
    const { begun } = activity;
    await activity.untilAnswered(begun, 1_000); // resolves at once: no timer runs here
    const fresh = request(`${url}new`);
    page.emit("request", fresh);
    let isDone = false;
    const waiting = activity.untilAnswered(begun, 1_000).then(() => {
      isDone = true;
    });
    await Promise.resolve();
    expect(isDone).toBe(false);
    page.emit("requestfinished", fresh);
    await waiting;
  });
});

describe("the document", () => {
  test("is what the main frame asked for last, with its answer", () => {
    const { page, activity } = fakePage();
    const asked = navigation("a");
    page.emit("request", asked);
    expect(activity.document).toMatchObject({ url, parsed: false, loaded: false });
    const response = { url: () => url, status: () => 200, request: () => asked };
    page.emit("response", response);
    expect(activity.document).toMatchObject({ url, response, parsed: false, loaded: false });
  });

  test("is not that of a frame in the page, nor has it loaded when that has", () => {
    const { page, activity, tell } = fakePage();
    page.emit("request", navigation("a"));
    tell("a", "init");
    page.emit("request", request(`${url}frame`, { id: "f", document: true, frame: {} }));
    tell("f", "load", "inner");
    expect(activity.document).toMatchObject({ url, parsed: false, loaded: false });
    expect(activity.documentId).toBe("a");
  });

  test("keeps why it did not come", () => {
    const { page, activity } = fakePage();
    page.emit("request", navigation("a"));
    page.emit("requestfailed", navigation("a", url, "net::ERR_CONNECTION_RESET"));
    expect(activity.document.netError).toBe("net::ERR_CONNECTION_RESET");
  });

  test("has not loaded when the one it replaces has", () => {
    const { page, activity, tell } = fakePage();
    page.emit("request", navigation("a"));
    tell("a", "init");
    page.emit("request", navigation("b", `${url}next`));
    tell("a", "DOMContentLoaded");
    tell("a", "load");
    expect(activity.document).toMatchObject({ url: `${url}next`, parsed: false, loaded: false });
    tell("b", "init");
    tell("b", "DOMContentLoaded");
    tell("b", "load");
    expect(activity.document).toMatchObject({ url: `${url}next`, parsed: true, loaded: true });
  });

  test("stays what it was when the page begins a download", () => {
    const { page, activity, tell } = fakePage();
    const asked = navigation("a");
    page.emit("request", asked);
    page.emit("response", { url: () => url, status: () => 200, request: () => asked });
    tell("a", "init");
    tell("a", "load");
    page.emit("request", navigation("b", `${url}file.zip`));
    page.emit("requestfailed", navigation("b", `${url}file.zip`, "net::ERR_ABORTED"));
    expect([activity.document.url, activity.document.loaded]).toEqual([url, true]);
  });

  test("has to load anew once it is written", () => {
    const { activity, tell } = fakePage();
    tell("blank", "load");
    activity.expectDocument("about:blank");
    expect(activity.document.loaded).toBe(false);
    tell("blank", "init");
    tell("blank", "load");
    expect(activity.document.loaded).toBe(true);
  });
});

describe("waiting for a condition", () => {
  test("is over at once when it holds already, even without time", async () => {
    expect(await fakePage().activity.until(() => true, 0)).toBe(true);
  });

  test("is over when it comes true", async () => {
    const { activity, tell } = fakePage();
    const waited = activity.until(() => activity.document.loaded, 1_000);
    tell("blank", "load");
    expect(await waited).toBe(true);
  });

  test("gives up after the time allowed", async () => {
    const { activity } = fakePage();
    const outcome = vi.fn();
    void activity.until(() => activity.document.loaded, 1_000).then(outcome);
    await vi.advanceTimersByTimeAsync(999);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledExactlyOnceWith(false);
  });
});

describe("waiting for quiet", () => {
  const idle = { open: 0, quiet: 500 };

  test("takes as long as the quiet must last", async () => {
    const { activity } = fakePage();
    const outcome = vi.fn();
    void activity.untilQuiet(idle, 10_000).then(outcome);
    await vi.advanceTimersByTimeAsync(499);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledExactlyOnceWith(true);
  });

  test("begins anew when it is disturbed", async () => {
    const { page, activity } = fakePage();
    const outcome = vi.fn();
    void activity.untilQuiet(idle, 10_000).then(outcome);
    await vi.advanceTimersByTimeAsync(400);
    const late = request(url);
    page.emit("request", late);
    await vi.advanceTimersByTimeAsync(300);
    page.emit("requestfinished", late);
    await vi.advanceTimersByTimeAsync(499);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledExactlyOnceWith(true);
  });

  test("bears with as many open requests as are named", async () => {
    const { page, activity } = fakePage();
    for (const path of ["1", "2"]) page.emit("request", request(url + path));
    const two = activity.untilQuiet({ open: 2, quiet: 500 }, 10_000);
    const one = activity.untilQuiet({ open: 1, quiet: 500 }, 10_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all([two, one])).toEqual([true, false]);
  });

  test("fails when the quiet cannot last long enough within the time allowed", async () => {
    const { page, activity } = fakePage();
    const late = request(url);
    page.emit("request", late);
    const waited = activity.untilQuiet(idle, 1_000);
    await vi.advanceTimersByTimeAsync(600);
    page.emit("requestfinished", late);
    await vi.advanceTimersByTimeAsync(400);
    expect(await waited).toBe(false);
  });

  test("fails when requests keep coming", async () => {
    const { page, activity } = fakePage();
    const waited = activity.untilQuiet(idle, 2_000);
    for (let n = 0; n < 20; n++) {
      const beat = request(`${url}${n}`);
      page.emit("request", beat);
      page.emit("requestfinished", beat);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(await waited).toBe(false);
  });
});

describe("a page that sets out for another document", () => {
  test.each([
    ["by a request for the window", "Page.frameRequestedNavigation", { disposition: "currentTab" }, 1],
    ["by a meta refresh at once", "Page.frameScheduledNavigation", { delay: 0 }, 1],
    ["by a meta refresh that is yet to come", "Page.frameScheduledNavigation", { delay: 5 }, 0],
    ["by a request for another tab", "Page.frameRequestedNavigation", { disposition: "newTab" }, 0],
  ])("has departed: %s", (_, event, details, departures) => {
    const { cdp, activity } = fakePage();
    cdp.emit(event, { frameId: "main", ...details });
    cdp.emit(event, { frameId: "a frame of it", ...details });
    expect(activity.departures).toBe(departures);
  });

  test("has arrived when the window holds the document, not when that is asked for", () => {
    const { page, activity, tell } = fakePage();
    page.emit("request", navigation("next"));
    expect(activity.document.arrived).toBe(false);
    tell("next", "init");
    expect(activity.document.arrived).toBe(true);
  });
});
