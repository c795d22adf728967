// How the website is served: headers, compression, conditional requests, caching, and the prefix of a base URL with a path.
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { OperatorIdentity } from "../../../lib/contract/operator-identity.ts";
import { TARBALL_PATH, WHEEL_PATH } from "../../../lib/site/client-packages/client-paths.ts";
import { openSite } from "../../../lib/site/serve-site.ts";
import { MANIFEST_FILE } from "../../../lib/site/site-files.ts";
import { decode } from "../../fixtures/png.ts";
import { localAssembly } from "../../support/local-assembly.ts";

const { baseUrl } = inject("service");

test("a page has a strict policy, no CORS, and is revalidated", async () => {
  const { headers } = await fetch(`${baseUrl}/docs`);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).not.toContain("unsafe");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("vary")).toBe("Accept, Accept-Encoding");
});

test("a page is sent as Markdown to a client that prefers it, and as HTML to all others", async () => {
  const typeFor = async (path: string, accept: string) => {
    const { headers } = await fetch(`${baseUrl}${path}`, { headers: { Accept: accept } });
    return [headers.get("content-type")?.split(";")[0], headers.get("content-location")];
  };
  const agent = "text/markdown, text/html, */*";
  const markdown = (location: string) => ["text/markdown", location];
  expect(await typeFor("/docs/guide/pdf", agent)).toEqual(markdown("/docs/guide/pdf.md"));
  expect(await typeFor("/docs", "text/markdown")).toEqual(markdown("/docs/index.md"));
  expect(await typeFor("/", agent)).toEqual(markdown("/index.md"));
  expect(await typeFor("/pricing", agent)).toEqual(markdown("/pricing.md"));
  const html = ["text/html", null];
  for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*", "text/html, text/markdown;q=0.5"]) {
    expect(await typeFor("/docs/guide/pdf", accept), accept).toEqual(html);
  }
  expect(await typeFor("/playground", agent)).toEqual(html); // has none
});

test("an answer of the API keeps its sandbox", async () => {
  const { headers } = await fetch(`${baseUrl}/health`);
  expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
});

test.each(["br", "gzip", "identity"])("a page is sent with content coding %s", async (coding) => {
  const plain = await (await fetch(`${baseUrl}/docs`, { headers: { "Accept-Encoding": "identity" } })).text();
  const response = await fetch(`${baseUrl}/docs`, { headers: { "Accept-Encoding": coding } });
  expect(response.headers.get("content-encoding")).toBe(coding === "identity" ? null : coding);
  expect(await response.text()).toBe(plain);
});

test("a page that has not changed is answered with 304", async () => {
  const first = await fetch(`${baseUrl}/docs`);
  const etag = first.headers.get("etag") ?? "";
  const second = await fetch(`${baseUrl}/docs`, { headers: { "If-None-Match": etag } });
  expect([second.status, await second.text(), second.headers.get("etag")]).toEqual([304, "", etag]);
});

test("HEAD has the headers of GET and no body", async () => {
  const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => fetch(`${baseUrl}/docs`, { method })));
  expect(head?.status).toBe(200);
  expect(await head?.text()).toBe("");
  for (const name of ["etag", "content-type", "content-security-policy"])
    expect(head?.headers.get(name)).toBe(get?.headers.get(name));
});

test("an asset is immutable, and compressed unless it is an image or a font", async () => {
  const html = await (await fetch(`${baseUrl}/`)).text();
  for (const [, path = ""] of html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
    const response = await fetch(`${baseUrl}${path}`, { headers: { "Accept-Encoding": "br" } });
    expect([response.status, response.headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
    expect(response.headers.get("content-encoding")).toBe(/\.(css|js)$/.test(path) ? "br" : null);
    await response.arrayBuffer();
  }
});

test.each([TARBALL_PATH, WHEEL_PATH])("%s is kept for an hour at most, and revalidated", async (path) => {
  const first = await fetch(`${baseUrl}${path}`);
  expect([first.status, first.headers.get("cache-control")]).toEqual([200, "public, max-age=3600"]);
  expect((await first.bytes()).length).toBeGreaterThan(10_000);
  const etag = first.headers.get("etag") ?? "";
  const second = await fetch(`${baseUrl}${path}`, { headers: { "If-None-Match": etag } });
  expect([second.status, second.headers.get("etag"), await second.text()]).toEqual([304, etag, ""]);
  expect((await fetch(`${baseUrl}${path}`, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
});

test("/client.whl leads to the wheel of the current version", async () => {
  const response = await fetch(`${baseUrl}/client.whl`, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([308, WHEEL_PATH]);
});

test.each(["/docs/nothing", "/assets/nothing.js", "/docs/..%2f..%2fmanifest.json", "/docs/constructor"])(
  "%s is answered with 404 as a page",
  async (path) => {
    const response = await fetch(`${baseUrl}${path}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  },
);

const asBrowser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test.each([
  ["/login", "/app/sign-in"],
  ["/dashboard", "/app"],
  ["/plans", "/pricing"],
  ["/Plans/", "/pricing"],
  ["/Docs", "/docs"],
  ["/Docs/Guide/PDF", "/docs/guide/pdf"],
])("the address %s, as people type it, leads to %s", async (path, target) => {
  const response = await fetch(`${baseUrl}${path}`, { redirect: "manual", headers: asBrowser });
  expect([response.status, response.headers.get("location")]).toEqual([308, target]);
});

test.each(["/nothing-here", "/prices/of/everything", "/%2e%2e/secrets"])(
  "a browser gets a page, and a program JSON, for the address %s, which doesn't exist",
  async (path) => {
    const [page, json] = await Promise.all([
      fetch(`${baseUrl}${path}`, { headers: asBrowser }),
      fetch(`${baseUrl}${path}`, { headers: { Accept: "*/*" } }),
    ]);
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("<h1>Nothing in the frame</h1>");
    expect([json.status, await json.json()]).toEqual([404, expect.objectContaining({ code: "NOT_FOUND" })]);
  },
);

test.each(["/api/v1/nothing", "/storage", "/mcp/x"])(
  "an error at %s, a path of the API, is JSON in a browser as well",
  async (path) => {
    const response = await fetch(`${baseUrl}${path}`, { headers: asBrowser });
    expect(response.headers.get("content-type")).toContain("application/json");
  },
);

test("the icon that browsers ask for is an icon, revalidated within an hour", async () => {
  const response = await fetch(`${baseUrl}/favicon.ico`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/vnd.microsoft.icon"]);
  expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(Buffer.from(await response.arrayBuffer()).subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
});

test("a link to a page is shown with a picture of 1200 by 630 pixels", async () => {
  const html = await (await fetch(`${baseUrl}/docs/guide/pdf`)).text();
  const [, address = ""] = /<meta property="og:image" content="([^"]+)">/.exec(html) ?? [];
  const picture = await decode(Buffer.from(await (await fetch(address)).arrayBuffer()));
  expect([picture.width, picture.height]).toEqual([1200, 630]);
});

test("an address that ends in a slash shows the page", async () => {
  const response = await fetch(`${baseUrl}/docs/guide/pdf/`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("<h1>PDF</h1>")]);
});

let folder: string;
/** The folder of the website among the assets of the service. */
let builtSite: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "site-"));
  const assembly = await localAssembly(join(folder, "assembly"));
  const [manifest = ""] = globSync(`asset.*/site/${MANIFEST_FILE}`, { cwd: assembly });
  builtSite = join(assembly, dirname(manifest));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["open", "Get a key", "The operator of this service opens accounts"],
  ["closed", "The operator of this service opens accounts", "Start the free trial"],
] as const)("pages follow sign-up, where it is %s", (signUp, shown, hidden) => {
  const site = openSite({
    folder: builtSite,
    baseUrl: "https://captures.example",
    signUp,
    mail: "on",
    keylessCaptures: "on",
    operators: "off",
    identity: {},
  });
  const texts = ["/", "/pricing"].map((path) =>
    site({ path, acceptEncoding: undefined, ifNoneMatch: undefined }).body.toString(),
  );
  expect(texts.join("")).toContain(shown);
  expect(texts.join("")).not.toContain(hidden);
  expect(texts.join("")).not.toContain("%signUp");
});

describe("the dashboard before its script has run", () => {
  const open = (mail: "on" | "off", signUp: "open" | "closed") => {
    const site = openSite({
      folder: builtSite,
      baseUrl: "https://captures.example",
      signUp,
      mail,
      keylessCaptures: "off",
      operators: "off",
      identity: {},
    });
    return (path: string) => site({ path, acceptEncoding: undefined, ifNoneMatch: undefined }).body.toString();
  };

  test.each([
    ["/app", "Overview", "/app"],
    ["/app/keys", "API keys", "/app/keys"],
    ["/app/keys/", "API keys", "/app/keys"],
    ["/app/captures/7", "Capture", "/app/captures"],
    ["/app/billing", "Plan and invoices", "/app/billing"],
  ])("%s has its heading, its place in the navigation, and the outlines of what is read", (path, heading, current) => {
    const page = open("on", "open")(path);
    expect(page).toMatch(new RegExp(`<h1[^>]*>${heading}</h1>`));
    expect(page).toContain(`<a href="${current}" aria-current="page">`);
    expect(page).toContain('class="skeleton" aria-hidden="true"');
  });

  test("an unknown address says so in the frame", () => {
    const page = open("on", "open")("/app/nothing");
    expect(page).toMatch(/<h1[^>]*>Nothing in the frame<\/h1>/);
    expect(page).toContain('<a href="/app/captures">captures</a>');
  });

  test.each([
    ["on", "open", "also for a new account", "sends no e-mail"],
    ["on", "closed", "New accounts are opened by the operator", "also for a new account"],
    ["off", "closed", "This service sends no e-mail", 'id="sign-in-email"'],
  ] as const)(
    "where mail is %s and sign-up is %s, the form to sign in is that of the service",
    (mail, signUp, shown, hidden) => {
      const page = open(mail, signUp)("/app/sign-in");
      expect(page).toContain(shown);
      expect(page).not.toContain(hidden);
      expect(page).toContain(` data-mail="${mail}" data-sign-up="${signUp}"`);
      expect(page).not.toContain("app-navigation");
    },
  );
});

test.each(["on", "off"] as const)(
  "the landing page has a field for visitors where captures without a key are %s",
  (keylessCaptures) => {
    const site = openSite({
      folder: builtSite,
      baseUrl: "https://captures.example",
      signUp: "open",
      mail: "on",
      keylessCaptures,
      operators: "off",
      identity: {},
    });
    const text = site({ path: "/", acceptEncoding: undefined, ifNoneMatch: undefined }).body.toString();
    expect(text.includes('<form class="capture-form"')).toBe(keylessCaptures === "on");
    expect(text).not.toContain("%keylessCaptures");
  },
);

describe("who runs the service", () => {
  const identity = {
    support: "support@example.com",
    terms: "https://example.com/terms?a=1&b=2",
    privacy: "https://example.com/privacy",
    imprint: "https://example.com/$&/imprint",
    source: "https://code.example.com/captures",
  };
  const open = (set: OperatorIdentity) => {
    const site = openSite({
      folder: builtSite,
      baseUrl: "https://captures.example",
      signUp: "closed",
      mail: "on",
      keylessCaptures: "off",
      operators: "on",
      identity: set,
    });
    return (path: string) => site({ path, acceptEncoding: undefined, ifNoneMatch: undefined });
  };
  const text = (set: OperatorIdentity, path: string) => open(set)(path).body.toString();
  const customersPages = [
    "/",
    "/pricing",
    "/docs",
    "/docs/guide/pdf",
    "/playground",
    "/app",
    "/app/sign-in",
    "/nothing",
  ];

  test.each(customersPages)("is in the footer of %s, link by link, and nothing is where nothing is set", (path) => {
    const footer = (set: OperatorIdentity) => /<footer .*<\/footer>/s.exec(text(set, path))?.[0] ?? "";
    const links = (set: OperatorIdentity) =>
      [...footer(set).matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, label]) => `${label} ${href}`);
    expect(links(identity).slice(-5)).toEqual([
      "Support mailto:support@example.com",
      "Terms https://example.com/terms?a=1&amp;b=2",
      "Privacy https://example.com/privacy",
      "Imprint https://example.com/$&amp;/imprint",
      "Source code https://code.example.com/captures",
    ]);
    expect(links({ terms: identity.terms })).toEqual([...links({}), links(identity).at(-4)]);
    expect(links({ support: "https://example.com/help" }).at(-1)).toBe("Support https://example.com/help");
    expect(links({}).join()).not.toMatch(/Support|Terms/);
    if (/playground|app/.test(path)) expect(footer({})).toBe("");
    for (const set of [identity, {}]) expect(text(set, path)).not.toMatch(/%(?:identity|support):|undefined/);
  });

  test("is named where pages say to ask the operator", () => {
    const support = '<a href="mailto:support@example.com">support@example.com</a>';
    expect(text(identity, "/")).toContain(`opens accounts: ask for yours at ${support}. Then`);
    expect(text({}, "/")).toContain("opens accounts: ask for yours. Then");
    expect(text(identity, "/pricing")).toContain(`changes plans: ask at ${support}.`);
    expect(text({}, "/pricing")).toContain("changes plans.");
    expect(text(identity, "/app")).toContain(' data-support="support@example.com"');
  });

  test("is in llms.txt and in the OpenAPI document", () => {
    const lines = (set: OperatorIdentity) => text(set, "/llms.txt").split("\n\n").slice(2, 4);
    expect(lines(identity)[1]).toBe(
      "- Support: support@example.com\n- Terms: https://example.com/terms?a=1&b=2\n- Privacy: https://example.com/privacy\n" +
        "- Imprint: https://example.com/$&/imprint\n- Source code: https://code.example.com/captures",
    );
    expect(lines({})[1]).toBe("## Start");
    const info = (set: OperatorIdentity) => JSON.parse(text(set, "/openapi.json")).info;
    expect(info(identity)).toEqual({
      ...info({}),
      termsOfService: identity.terms,
      contact: { name: "Support", email: "support@example.com" },
    });
    expect(info({ support: "https://example.com/help" }).contact).toEqual({
      name: "Support",
      url: "https://example.com/help",
    });
    expect(Object.keys(info({}))).not.toContain("contact");
  });

  test("changes the version of a page, so that browsers load it again", () => {
    const etags = [identity, {}, identity].map((set) => open(set)("/docs").headers["ETag"]);
    expect(etags[0]).toBe(etags[2]);
    expect(etags[0]).not.toBe(etags[1]);
  });
});

describe("the operator's page", () => {
  const open = (operators: "on" | "off") => {
    const site = openSite({
      folder: builtSite,
      baseUrl: "https://captures.example",
      signUp: "open",
      mail: "on",
      keylessCaptures: "off",
      operators,
      identity: {},
    });
    return (path: string) => site({ path, acceptEncoding: undefined, ifNoneMatch: undefined });
  };
  const paths = ["/operator", "/operator/accounts", "/operator/accounts/7/captures", "/Operator"];

  test("has one document for all its screens, which search engines are told to leave out", () => {
    const get = open("on");
    const [page, screen, , capital] = paths.map(get);
    expect([page?.status, screen?.status, capital?.headers["Location"]]).toEqual([200, 200, "/operator"]);
    expect(screen?.body.toString()).toBe(page?.body.toString());
    expect(page?.body.toString()).toContain('<meta name="robots" content="noindex">');
    expect(page?.headers["Content-Security-Policy"]).toBe(get("/app").headers["Content-Security-Policy"]);
  });

  test("does not exist with its files where the service has no operators", () => {
    const [off, on] = [open("off"), open("on")];
    const nothing = off("/nothing");
    for (const path of paths) expect([path, off(path)]).toEqual([path, nothing]);
    const [script = ""] = /\/assets\/operator-\w+\.js/.exec(on("/operator").body.toString()) ?? [];
    expect([on(script).status, off(script)]).toEqual([200, nothing]);
  });

  test("is named by no other page", async () => {
    const get = open("on");
    const named = ["/", "/docs", "/pricing", "/playground", "/app", "/docs/operate", "/robots.txt", "/sitemap.xml"];
    for (const path of named) expect(get(path).body.toString(), path).not.toMatch(/(?<!docs)\/operator["/?#<]/);
  });
});

describe("a base URL with a path", () => {
  test("prefixes every address of a page and of a redirect", () => {
    const site = openSite({
      folder: builtSite,
      signUp: "closed",
      mail: "on",
      keylessCaptures: "off",
      operators: "off",
      identity: {},
      baseUrl: "https://abc.execute-api.eu-central-1.amazonaws.com/live",
    });
    const request = { acceptEncoding: "br", ifNoneMatch: undefined };
    const page = brotliDecompressSync(site({ ...request, path: "/docs/guide/pdf" }).body).toString();
    const addresses = [...page.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, address = ""]) => address);
    expect(addresses.length).toBeGreaterThan(20);
    expect(addresses.filter((address) => !address.startsWith("/live/"))).toEqual([]);
    expect(page).toContain('data-base-path="/live"');
    expect(page).toContain("https://abc.execute-api.eu-central-1.amazonaws.com/live/api/v1/screenshot");
    expect(page).not.toContain("127.0.0.1");
    expect(site({ ...request, path: "/docs/" }).headers["Location"]).toBe("/live/docs");
  });
});
