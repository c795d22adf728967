// Request headers of the caller: sent to the target's origin and to no other.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { basicAuthorization } from "../../../lib/engine/egress/basic-authorization.ts";
import { sendTargetHeaders } from "../../../lib/engine/emulation/request-headers.ts";
import { startTwoOrigins, type TwoOrigins } from "../../support/two-origins.ts";

const toClose: TwoOrigins[] = [];
afterEach(() => Promise.all(toClose.splice(0).map((origins) => origins.close())));

async function twoOrigins(pages: Readonly<Record<string, string>> = {}): Promise<TwoOrigins> {
  const origins = await startTwoOrigins(pages);
  toClose.push(origins);
  return origins;
}

const headers = [{ name: "X-Caller", value: "me" }];

/** Who was requested what, and with which of the caller's headers. */
const seen = ({ requests }: Pick<TwoOrigins, "requests">, name = "x-caller") =>
  requests.map(({ requested, headers }) => `${requested} ${headers[name] ?? "-"}`);

describe("request headers: the caller's headers, in one browser whose target has them,", () => {
  const AUTHORIZATION = "Basic eA==";
  let origins: TwoOrigins;
  beforeAll(async () => {
    origins = await startTwoOrigins({
      "/page": `<link rel="stylesheet" href="/a.css"><script src="/a.js"></script><img src="/a.png"><iframe src="/frame"></iframe>`,
      "/a.js": "",
      "/frame": `<img src="/in-frame.png">`,
      "/worker.js": `fetch("/by-worker").then(() => postMessage("done"))`,
      "/sets-cookie": `<script>document.cookie = "own=1"</script>`,
    });
    const { session, target } = origins;
    await sendTargetHeaders(session.cdp, { origin: target, headers, authorization: AUTHORIZATION });
  });
  afterAll(() => origins.close());

  /** What is requested from now on, and with which of the caller's headers; the browser itself asks for an icon once. */
  function watch() {
    const before = origins.requests.length;
    const requests = () => origins.requests.slice(before).filter(({ requested }) => !requested.endsWith("favicon.ico"));
    return { seen: (name?: string) => seen({ requests: requests() }, name), requests };
  }

  test("go with the document, its frames and its subresources at the target", async () => {
    const { target, page } = origins;
    const { seen } = watch();
    await page.goto(`${target}/page`);
    const requested = ["/a.css", "/a.js", "/a.png", "/frame", "/in-frame.png", "/page"];
    expect(seen().sort()).toEqual(requested.map((path) => `target.test ${path} me`));
  });

  test("do not go to another origin: neither to its documents nor to its subresources", async () => {
    const { target, other, page } = origins;
    const { seen } = watch();
    await page.goto(`${target}/`);
    await page.evaluate(`fetch("${other}/fetched")`);
    await page.setContent(`<img src="${other}/a.png"><iframe src="${other}/frame"></iframe>`);
    expect(seen().sort()).toEqual([
      "other.test /a.png -",
      "other.test /fetched -",
      "other.test /frame -",
      "other.test /in-frame.png -",
      "target.test / me",
    ]);
  });

  test("do not go to another origin whose URL looks like the target's", async () => {
    const { target, other, page } = origins;
    const { requests } = watch();
    await page.goto(`${other}/?@${new URL(target).host}/`);
    await page.goto(`${other.replace("//", "//target.test@")}/${target}/`);
    expect(requests().map(({ headers }) => headers["x-caller"])).toEqual([undefined, undefined]);
  });

  test.each([
    [
      "that leaves the target",
      (target: string, other: string) => `${target}/to?${other}/`,
      ["target.test /to me", "other.test / -"],
    ],
    ["that stays", (target: string) => `${target}/to?${target}/`, ["target.test /to me", "target.test / me"]],
    [
      "that leaves and comes back",
      (target: string, other: string) => `${target}/to?${other}/to?${target}/`,
      ["target.test /to me", "other.test /to -", "target.test / me"],
    ],
    [
      "that comes from elsewhere",
      (target: string, other: string) => `${other}/to?${target}/`,
      ["other.test /to -", "target.test / me"],
    ],
  ])("are decided separately at each hop of a redirect %s", async (_, url, expected) => {
    const { target, other, page } = origins;
    const { seen } = watch();
    await page.goto(url(target, other));
    expect(seen()).toEqual(expected);
    expect(seen("authorization")).toEqual(expected.map((line) => line.replace(/me$/, AUTHORIZATION)));
  });

  test("do not follow a script's request that is redirected elsewhere", async () => {
    const { target, other, page } = origins;
    await page.goto(`${target}/`);
    const { seen } = watch();
    await page.evaluate(`fetch("/to?${other}/stolen")`);
    expect(seen()).toEqual(["target.test /to me", "other.test /stolen -"]);
  });

  test("go with requests of scripts and dedicated workers to the target", async () => {
    const { target, page } = origins;
    await page.goto(`${target}/`);
    const { seen } = watch();
    const answer = await page.evaluate(`fetch("/by-script", { method: "PUT", body: "x" }).then((r) => r.text())`);
    await page.evaluate(`new Promise((done) => { new Worker("/worker.js").onmessage = done }).then(() => 0)`);
    expect(answer).toBe("ok");
    expect(seen()).toEqual(["target.test /by-script me", "target.test /worker.js me", "target.test /by-worker me"]);
  });

  test("do not go with requests of another origin's scripts, which could read what only the caller may", async () => {
    const { target, other, page } = origins;
    await page.goto(`${other}/`);
    const { seen } = watch();
    const status = await page.evaluate(`fetch("${target}/needs-sign-in").then((r) => r.status)`);
    expect(status).toBe(401);
    expect(seen("authorization").at(-1)).toBe("target.test /needs-sign-in -");
  });

  test("go to a URL that holds credentials, too", async () => {
    const { target, page } = origins;
    const { seen } = watch();
    await page.goto(`${target.replace("//", "//user:password@")}/`);
    expect(seen()).toEqual(["target.test / me"]);
  });

  test("leave the page its cookies", async () => {
    const { target, page } = origins;
    const { seen } = watch();
    await page.goto(`${target}/sets-cookie`);
    await page.evaluate(`fetch("/data")`);
    expect(seen("cookie")).toEqual(["target.test /sets-cookie -", "target.test /data own=1"]);
  });
});

describe("request headers: the caller's headers", () => {
  test("do not go to the target's name at another port or of another scheme", async () => {
    const origins = await twoOrigins();
    const { session, target, page } = origins;
    const elsewhere = [
      target.replace("http:", "https:"),
      target.replace(/\d+$/, "1"),
      target.replace("target", "a.target"),
    ];
    for (const origin of elsewhere) await sendTargetHeaders(session.cdp, { origin, headers });

    await page.goto(`${target}/`);

    expect(seen(origins)).toEqual(["target.test / -"]);
  });

  test("go with requests that a service worker would have made", async () => {
    const origins = await twoOrigins({
      "/worker.js": `onactivate = () => clients.claim(); onfetch = (event) => event.respondWith(fetch(event.request))`,
    });
    const { session, secure, page } = origins;
    await sendTargetHeaders(session.cdp, { origin: secure, headers });
    await page.goto(`${secure}/`);
    await page.evaluate(
      `navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => 0)`,
    );

    await page.evaluate(`fetch("/asked").then((r) => r.text())`);

    expect(seen(origins).at(-1)).toBe("localhost /asked me");
  });

  test("replace the browser's own, but not those the page sets for its body and authentication", async () => {
    const origins = await twoOrigins();
    const { session, target, page } = origins;
    const own = [
      { name: "accept-language", value: "de" },
      { name: "Content-Type", value: "text/caller" },
    ];
    await sendTargetHeaders(session.cdp, { origin: target, headers: own, authorization: "Basic eA==" });
    await page.goto(`${target}/`);

    await page.evaluate(
      `fetch("/api", { method: "POST", body: "{}", headers: { "content-type": "application/json", authorization: "Bearer own" } })`,
    );

    expect(
      origins.requests.map(({ headers }) => [
        headers["accept-language"],
        headers["content-type"],
        headers.authorization,
      ]),
    ).toEqual([
      ["de", "text/caller", "Basic eA=="],
      ["de", "application/json", "Bearer own"],
    ]);
  });

  test("that Chromium rejects fail the request at once", async () => {
    const { session, target, page } = await twoOrigins();
    await sendTargetHeaders(session.cdp, { origin: target, headers: [{ name: "Host", value: "other.test" }] });
    await expect(page.goto(`${target}/`)).rejects.toThrow("net::ERR_FAILED");
  });
});

describe("request headers: the authorization", () => {
  test("authenticates the capture, and overrides a header of its name", async () => {
    const origins = await twoOrigins();
    const { session, target, page } = origins;
    const authorization = basicAuthorization("jörg", "a:b");
    await sendTargetHeaders(session.cdp, {
      origin: target,
      headers: [{ name: "authorization", value: "no" }],
      authorization,
    });

    const answer = await page.goto(`${target}/needs-sign-in`);

    expect(answer?.status()).toBe(200);
    expect(seen(origins, "authorization")).toEqual([`target.test /needs-sign-in ${authorization}`]);
  });

  test("of Basic authentication is encoded in UTF-8", () => {
    expect(basicAuthorization("jörg", "a:b")).toBe("Basic asO2cmc6YTpi");
  });
});
