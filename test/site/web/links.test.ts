// Links of the website: every address and every anchor is there, and so are the files for programs.
import type { Element, Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { docPages } from "../../../lib/site/docs/doc-pages.ts";
import { markdownPath } from "../../../lib/site/site-paths.ts";
import { readShareFragment } from "../../../lib/site/web/shared/share-link.ts";
import { ok } from "../../../lib/tools/operate/doctor/finding.ts";
import { servedIdentityCheck } from "../../../lib/tools/operate/doctor/service-checks.ts";
import { runLocalCanary } from "../../support/scheduled-functions.ts";
import { sampled } from "../../support/slow-run.ts";

const { baseUrl } = inject("service");
beforeAll(runLocalCanary); // every page leads to that of the status
const paths = ["/", "/playground", "/pricing", "/status", ...docPages.map(({ path }) => path)];

const elements = (node: Root | Element): Element[] =>
  node.children.flatMap((child) => (child.type === "element" ? [child, ...elements(child)] : []));

interface Loaded {
  readonly status: number;
  readonly ids: ReadonlySet<string>;
  readonly addresses: readonly string[];
}

const loaded = new Map<string, Promise<Loaded>>();

function load(url: string): Promise<Loaded> {
  const known = loaded.get(url);
  if (known) return known;
  const loading = fetch(url).then(async (response) => {
    const text = await response.text();
    const isHtml = response.headers.get("content-type")?.startsWith("text/html");
    const found = isHtml ? elements(unified().use(rehypeParse).parse(text)) : [];
    const addresses = found.flatMap(({ properties }) => [properties["href"], properties["src"], properties["dataTry"]]);
    return {
      status: response.status,
      ids: new Set(found.map(({ properties }) => String(properties["id"]))),
      addresses: addresses.filter((each): each is string => typeof each === "string"),
    };
  });
  loaded.set(url, loading);
  return loading;
}

/** True for a link to the playground whose request the API accepts. */
async function holdsRequest(fragment: string): Promise<boolean> {
  const options = await readShareFragment(fragment);
  if (!options) return false;
  const { outputs, response_type: _, ...shared } = options; // those that all results have
  parseCaptureOptions(outputs === undefined ? options : shared);
  return true;
}

describe("every link leads to a page, and to an anchor of it:", () => {
  sampled(test, 12).each(paths)("%s", async (path) => {
    const page = await load(`${baseUrl}${path}`);
    const targets = page.addresses
      .map((address) => new URL(address, `${baseUrl}${path}`))
      .filter(({ origin }) => origin === baseUrl);
    const broken: string[] = [];
    for (const target of targets) {
      const { status, ids } = await load(`${target.origin}${target.pathname}`);
      if (target.hash.startsWith("#o=")) {
        if (status !== 200 || !(await holdsRequest(target.hash))) broken.push(target.href);
        continue;
      }
      const anchor = decodeURIComponent(target.hash.slice(1));
      if (status !== 200 || (anchor !== "" && !ids.has(anchor))) broken.push(target.href);
    }
    expect(broken).toEqual([]);
  });
});

test("pages lead to every page", async () => {
  const reached = new Set(["/"]);
  for (const path of reached) {
    for (const address of (await load(`${baseUrl}${path}`)).addresses) {
      const { origin, pathname } = new URL(address, baseUrl);
      if (origin === baseUrl && paths.includes(pathname)) reached.add(pathname);
    }
  }
  expect(paths.filter((path) => !reached.has(path))).toEqual([]);
});

test("search: every entry leads to an anchor", async () => {
  const entries = (await (await fetch(`${baseUrl}/docs/search.json`)).json()) as { readonly path: string }[];
  expect(entries.length).toBeGreaterThan(500);
  const broken: string[] = [];
  for (const { path } of entries) {
    const [page, anchor] = path.split("#");
    const { status, ids } = await load(`${baseUrl}${page}`);
    if (status !== 200 || (anchor !== undefined && !ids.has(anchor))) broken.push(path);
  }
  expect(broken).toEqual([]);
});

test("Markdown: each page of the documentation has a version as Markdown, whose links work", async () => {
  const broken: string[] = [];
  for (const page of docPages) {
    const response = await fetch(`${baseUrl}${markdownPath(page.path)}`);
    const text = await response.text();
    if (response.headers.get("content-type") !== "text/markdown; charset=utf-8") broken.push(page.path);
    for (const [, target = ""] of text.matchAll(/\]\((http:\/\/127\.0\.0\.1[^)#\s]*)/g)) {
      if (target.startsWith(baseUrl) && (await load(target)).status !== 200) broken.push(target);
    }
    expect(text).not.toContain("%BASE_");
  }
  expect(broken).toEqual([]);
});

test("agents: llms.txt names who runs the service, which the doctor reads there", async () => {
  expect(await (await fetch(`${baseUrl}/llms.txt`)).text()).toContain(
    "\n- Support: support@captures.example\n- Terms: ",
  );
  expect(await servedIdentityCheck(baseUrl).run()).toEqual(
    ok("pages name support, terms, privacy policy, and source code"),
  );
});

test("agents: llms.txt and llms-full.txt name the address of this service", async () => {
  const [short, full] = await Promise.all(
    ["/llms.txt", "/llms-full.txt"].map(async (path) => (await fetch(`${baseUrl}${path}`)).text()),
  );
  expect(short).toContain(`${baseUrl}/docs/guide/pdf.md`);
  expect(full).toContain(`${baseUrl}/api/v1/screenshot?url=`);
  const links = [...(short ?? "").matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  expect(await Promise.all(links.map(async (link) => (await load(link)).status))).toEqual(links.map(() => 200));
});

test("sitemap: lists every page", async () => {
  const sitemap = await (await fetch(`${baseUrl}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
  expect(listed.toSorted()).toEqual(paths.map((path) => `${baseUrl}${path}`).toSorted());
  expect(await (await fetch(`${baseUrl}/robots.txt`)).text()).toContain(`Sitemap: ${baseUrl}/sitemap.xml`);
});

test("OpenAPI: the website has the document of the API", async () => {
  const [one, other] = await Promise.all(
    ["/openapi.json", "/api/v1/openapi.json"].map(async (path) => (await fetch(`${baseUrl}${path}`)).json()),
  );
  expect(one).toEqual(other);
});
