// Page activity: the main document, pending requests, paints, and waits for them, from CDP events.
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defaultLimits } from "../../../lib/contract/options/capture-limits.ts";
import { PageActivity, type TrackedPage } from "../../../lib/engine/page/page-activity.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const url = "https://a.test/";

/** A page of which only the events count. It begins empty, as document `blank` of frame `main`. */
function fakePage() {
  const cdp = new EventEmitter();
  const exceeded: string[] = [];
  const bounds = {
    limits: { ...defaultLimits, requests: 20, redirects: 2 },
    exceedLimit: (limit: string) => exceeded.push(limit),
    proxy: { requestFailure: () => undefined },
  };
  const activity = new PageActivity({ cdp, ...bounds } as unknown as TrackedPage);
  const tell = (loaderId: string, name: string, frameId = "main") =>
    cdp.emit("Page.lifecycleEvent", { frameId, loaderId, name });
  tell("blank", "init");
  return {
    cdp,
    activity,
    exceeded,
    tell,
    begin: ({ errorText, ...event }: Read) => cdp.emit("Network.requestWillBeSent", event),
    answer: ({ requestId }: Read, status: number, headers = {}) =>
      cdp.emit("Network.responseReceived", { requestId, response: { status, headers } }),
    finish: ({ requestId }: Read) => cdp.emit("Network.loadingFinished", { requestId }),
    fail: ({ requestId, errorText }: Read) => cdp.emit("Network.loadingFailed", { requestId, errorText }),
  };
}

type Read = ReturnType<typeof request>;

let ids = 0;

function request(address: string, { id = `request ${ids++}`, type = "Image", frame = "main", errorText = "" } = {}) {
  const loaderId = type === "Document" ? id : "a document";
  return { requestId: id, loaderId, frameId: frame, type, request: { url: address }, errorText };
}

const navigation = (id: string, address = url, errorText = "") => request(address, { id, type: "Document", errorText });

describe("page activity: requests", () => {
  test("are pending from their start until they finish or fail, oldest first", () => {
    const { activity, begin, finish, fail } = fakePage();
    const [one, two, three] = [request(`${url}1`), request(`${url}2`), request(`${url}3`)] as const;
    for (const started of [one, two, three]) begin(started);
    finish(two);
    expect(activity.pending()).toEqual([`${url}1`, `${url}3`]);
    fail(one);
    expect(activity.pending()).toEqual([`${url}3`]);
  });

  test("are reported without the credentials in their URLs", () => {
    const { activity, begin, fail } = fakePage();
    const [open, failed] = [
      request("https://u:p@a.test/1"),
      request("https://u:p@a.test/2", { errorText: "net::ERR_FAILED" }),
    ];
    for (const started of [open, failed]) begin(started);
    fail(failed);
    expect([activity.pending(), activity.failures]).toEqual([
      ["https://a.test/1"],
      [{ url: "https://a.test/2", reason: "net::ERR_FAILED" }],
    ]);
  });

  test.each([["WebSocket"], ["EventSource"], ["Ping"], ["Preflight"], ["CSPViolationReport"]])(
    "of the type %s are never awaited",
    (type) => {
      const { activity, begin } = fakePage();
      begin(request(url, { type }));
      expect(activity.pending()).toEqual([]);
    },
  );
});

describe("page activity: polling", () => {
  test("is not awaited: a script that requests the same URL over and over", () => {
    const { activity, begin } = fakePage();
    for (let time = 0; time < 20; time++) begin(request(`${url}beat?at=${time}`, { type: "Fetch" }));
    expect(activity.pending()).toHaveLength(9);
  });

  test("does not include images whose query differs", () => {
    const { activity, begin } = fakePage();
    for (let n = 0; n < 20; n++) begin(request(`${url}image?n=${n}`));
    expect(activity.pending()).toHaveLength(20);
  });
});

describe("page activity: failed requests", () => {
  test("are kept with the reason: an error status, or a network error", () => {
    const { activity, begin, answer, fail } = fakePage();
    const [refused, lost] = [request(`${url}1`), request(`${url}2`, { errorText: "net::ERR_FAILED" })];
    for (const started of [refused, lost]) begin(started);
    answer(refused, 404);
    fail(lost);
    expect(activity.failures).toEqual([
      { url: `${url}1`, reason: "404" },
      { url: `${url}2`, reason: "net::ERR_FAILED" },
    ]);
  });
});

describe("page activity: paints", () => {
  test("are tracked per document, which starts unpainted", () => {
    const { activity, tell, begin } = fakePage();
    begin(navigation("a"));
    tell("a", "init");
    const before = [activity.document.painted, activity.document.contentPainted];
    tell("a", "firstContentfulPaint");
    tell("a", "firstPaint");
    expect([before, activity.document.painted, activity.document.contentPainted]).toEqual([[false, false], true, true]);
  });
});

test("page activity: the paint of a frame counts for the page", () => {
  const { activity, tell, begin } = fakePage();
  begin(navigation("a"));
  tell("a", "init");
  tell("f", "firstContentfulPaint", "inner");
  expect(activity.document.contentPainted).toBe(true);
});

describe("page activity: requests from now on", () => {
  test("are those that are awaited, not earlier ones", async () => {
    const { activity, begin, finish } = fakePage();
    begin(request(`${url}old`));
    const { requestsStarted: started } = activity;
    await activity.untilAnswered(started, 1_000); // resolves at once: no timer runs here
    const fresh = request(`${url}new`);
    begin(fresh);
    let isDone = false;
    const waiting = activity.untilAnswered(started, 1_000).then(() => {
      isDone = true;
    });
    await Promise.resolve();
    expect(isDone).toBe(false);
    finish(fresh);
    await waiting;
  });
});

describe("page activity: the document", () => {
  test("is the last one that the main frame requested, with its response", () => {
    const { activity, begin, answer } = fakePage();
    const requested = navigation("a");
    begin(requested);
    expect(activity.document).toMatchObject({ url, parsed: false, loaded: false });
    answer(requested, 200, { "Content-Type": "text/html" });
    const response = { url, status: 200, headers: { "content-type": "text/html" }, redirects: [] };
    expect(activity.document).toMatchObject({ url, response, parsed: false, loaded: false });
  });

  test("is not that of a frame, nor has it loaded when that has", () => {
    const { activity, tell, begin } = fakePage();
    begin(navigation("a"));
    tell("a", "init");
    begin(request(`${url}frame`, { id: "f", type: "Document", frame: "inner" }));
    tell("f", "load", "inner");
    expect(activity.document).toMatchObject({ url, parsed: false, loaded: false });
    expect(activity.documentId).toBe("a");
  });

  test("keeps its network error", () => {
    const { activity, begin, fail } = fakePage();
    begin(navigation("a"));
    fail(navigation("a", url, "net::ERR_CONNECTION_RESET"));
    expect(activity.document.netError).toBe("net::ERR_CONNECTION_RESET");
  });

  test("has not loaded when the one it replaces has", () => {
    const { activity, tell, begin } = fakePage();
    begin(navigation("a"));
    tell("a", "init");
    begin(navigation("b", `${url}next`));
    tell("a", "DOMContentLoaded");
    tell("a", "load");
    expect(activity.document).toMatchObject({ url: `${url}next`, parsed: false, loaded: false });
    tell("b", "init");
    tell("b", "DOMContentLoaded");
    tell("b", "load");
    expect(activity.document).toMatchObject({ url: `${url}next`, parsed: true, loaded: true });
  });

  test("stays the same when the page starts a download", () => {
    const { activity, tell, begin, answer, fail } = fakePage();
    const requested = navigation("a");
    begin(requested);
    answer(requested, 200);
    tell("a", "init");
    tell("a", "load");
    begin(navigation("b", `${url}file.zip`));
    fail(navigation("b", `${url}file.zip`, "net::ERR_ABORTED"));
    expect([activity.document.url, activity.document.loaded]).toEqual([url, true]);
  });

  test("has to load again after document.open()", () => {
    const { activity, tell } = fakePage();
    tell("blank", "load");
    activity.expectDocument("about:blank");
    expect(activity.document.loaded).toBe(false);
    tell("blank", "init");
    tell("blank", "load");
    expect(activity.document.loaded).toBe(true);
  });
});

describe("page activity: the response of a document", () => {
  const sent = (requestId: string, statusCode: number, headers = {}) => ({ requestId, statusCode, headers });

  test.each([["before"], ["after"]])("has the raw headers that Chromium reports %s it", (when) => {
    const { cdp, activity, begin, answer } = fakePage();
    const requested = navigation("a");
    begin(requested);
    const tellSent = () => cdp.emit("Network.responseReceivedExtraInfo", sent("a", 200, { "Set-Cookie": "a=1\nb=2" }));
    if (when === "before") tellSent();
    answer(requested, 200, { Server: "x" });
    if (when === "after") tellSent();
    expect(activity.document.response?.headers).toEqual({ "set-cookie": "a=1\nb=2" });
  });

  test("has the redirects that led to it, and not their headers", () => {
    const { cdp, activity, begin, answer } = fakePage();
    begin(navigation("a"));
    cdp.emit("Network.responseReceivedExtraInfo", sent("a", 302, { Location: "/next" }));
    const next = { ...navigation("a", `${url}next`), redirectResponse: { url, status: 302 } };
    begin(next);
    answer(next, 200, { Server: "x" });
    expect(activity.document.response).toEqual({
      url: `${url}next`,
      status: 200,
      headers: { server: "x" },
      redirects: [{ url, status: 302 }],
    });
  });

  test("ends a page with too many redirects", () => {
    const { exceeded, begin } = fakePage();
    const hop = (n: number) => ({
      ...navigation("a", url + n),
      ...(n > 0 && { redirectResponse: { url: url + (n - 1), status: 302 } }),
    });
    for (const n of [0, 1, 2]) begin(hop(n));
    expect(exceeded).toEqual([]);
    begin(hop(3));
    expect(exceeded).toEqual(["redirects"]);
  });
});

describe("page activity: the requests of a worker", () => {
  test("belong to its page", async () => {
    const { cdp, activity } = fakePage();
    const worker = Object.assign(new EventEmitter(), { send: vi.fn(() => Promise.resolve()) });
    cdp.emit("sessionattached", worker);
    worker.emit("Network.requestWillBeSent", request(`${url}of-worker`));
    expect([activity.pending(), worker.send.mock.calls]).toEqual([
      [`${url}of-worker`],
      [["Network.enable", expect.anything()]],
    ]);
  });
});

describe("page activity: waiting for a condition", () => {
  test("ends at once when it holds already, even without time", async () => {
    expect(await fakePage().activity.until(() => true, 0)).toBe(true);
  });

  test("ends when the condition becomes true", async () => {
    const { activity, tell } = fakePage();
    const waited = activity.until(() => activity.document.loaded, 1_000);
    tell("blank", "load");
    expect(await waited).toBe(true);
  });

  test("ends after the timeout", async () => {
    const { activity } = fakePage();
    const outcome = vi.fn();
    void activity.until(() => activity.document.loaded, 1_000).then(outcome);
    await vi.advanceTimersByTimeAsync(999);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledExactlyOnceWith(false);
  });
});

describe("page activity: waiting for a quiet network", () => {
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

  test("starts again after a request", async () => {
    const { activity, begin, finish } = fakePage();
    const outcome = vi.fn();
    void activity.untilQuiet(idle, 10_000).then(outcome);
    await vi.advanceTimersByTimeAsync(400);
    const late = request(url);
    begin(late);
    await vi.advanceTimersByTimeAsync(300);
    finish(late);
    await vi.advanceTimersByTimeAsync(499);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledExactlyOnceWith(true);
  });

  test("tolerates the given number of open requests", async () => {
    const { activity, begin } = fakePage();
    for (const path of ["1", "2"]) begin(request(url + path));
    const two = activity.untilQuiet({ open: 2, quiet: 500 }, 10_000);
    const one = activity.untilQuiet({ open: 1, quiet: 500 }, 10_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all([two, one])).toEqual([true, false]);
  });

  test("fails when the timeout is shorter than the quiet must last", async () => {
    const { activity, begin, finish } = fakePage();
    const late = request(url);
    begin(late);
    const waited = activity.untilQuiet(idle, 1_000);
    await vi.advanceTimersByTimeAsync(600);
    finish(late);
    await vi.advanceTimersByTimeAsync(400);
    expect(await waited).toBe(false);
  });

  test("fails when requests keep coming", async () => {
    const { activity, begin, finish } = fakePage();
    const waited = activity.untilQuiet(idle, 2_000);
    for (let n = 0; n < 20; n++) {
      const beat = request(`${url}${n}`);
      begin(beat);
      finish(beat);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(await waited).toBe(false);
  });
});

describe("page activity: a navigation", () => {
  test.each([
    ["by a request for the window", "Page.frameRequestedNavigation", { disposition: "currentTab" }, 1],
    ["by a meta refresh at once", "Page.frameScheduledNavigation", { delay: 0 }, 1],
    ["by a meta refresh that is yet to come", "Page.frameScheduledNavigation", { delay: 5 }, 0],
    ["by a request for another tab", "Page.frameRequestedNavigation", { disposition: "newTab" }, 0],
  ])("counts as a navigation: %s", (_, event, details, startedNavigations) => {
    const { cdp, activity } = fakePage();
    cdp.emit(event, { frameId: "main", ...details });
    cdp.emit(event, { frameId: "a frame of it", ...details });
    expect(activity.startedNavigations).toBe(startedNavigations);
  });

  test("leads to about:blank when a document commits without a request", () => {
    const { activity, tell, begin } = fakePage();
    expect(activity.document.isBlank).toBe(false);
    begin(navigation("next"));
    tell("next", "init");
    expect([activity.documentId, activity.document.isBlank]).toEqual(["next", false]);
    tell("left", "init");
    expect([activity.documentId, activity.document]).toEqual([
      "left",
      expect.objectContaining({ isBlank: true, url: "about:blank" }),
    ]);
    begin(navigation("back"));
    tell("back", "init");
    expect([activity.documentId, activity.document.isBlank]).toEqual(["back", false]);
  });

  test("has arrived when it commits, not when it is requested", () => {
    const { activity, tell, begin } = fakePage();
    begin(navigation("next"));
    expect(activity.document.arrived).toBe(false);
    tell("next", "init");
    expect(activity.document.arrived).toBe(true);
  });
});
