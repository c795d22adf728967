// Facts about a captured page, read without disturbing it.
import type { CDPSession } from "puppeteer-core";
import type { Head, Link } from "../../injected/metadata.ts";
import { evaluateInIsolatedWorld, mainFrame } from "../../page/isolated-world.ts";
import type { ConsoleEntry, PageRecord, RequestSummary } from "../../page/page-record.ts";
import { softAllowance } from "../../pipeline/budget.ts";
import type { CaptureState } from "../../pipeline/capture-context.ts";
import { withoutCredentials } from "../../pipeline/capture-failure.ts";
import { withTimeout } from "../../pipeline/with-timeout.ts";
import { type DocumentFormat, readDocument } from "../document/documents.ts";
import { type HttpExchange, httpExchange } from "./http-exchange.ts";
import { chooseIcon } from "./icon.ts";
import { type UsedFont, usedFonts } from "./used-fonts.ts";

/** What the caller wants to know. */
export interface WantedMetadata {
  readonly pageTitle: boolean;
  readonly openGraph: boolean;
  readonly icon: boolean;
  readonly fonts: boolean;
  readonly links: boolean;
  readonly console: boolean;
  readonly requests: boolean;
  readonly statusCode: boolean;
  readonly responseHeaders: boolean;
  readonly content?: { readonly format: DocumentFormat };
  /** Links and content include what is in open shadow roots. */
  readonly shadowDom: boolean;
}

/** What was found, under the names the caller reads; only what was wanted is there. Addresses have no credentials. */
export interface Metadata {
  page_title?: string | null;
  /** Without `og:`; what is there several times is a list. */
  open_graph?: Record<string, string | string[]>;
  icon?: string | null;
  fonts?: readonly UsedFont[];
  links?: readonly Link[];
  console?: readonly ConsoleEntry[];
  requests?: RequestSummary;
  /** Null when the document came from no server. */
  http_response?: HttpExchange | null;
  content?: string;
}

/**
 * Reads what is wanted about the page as it is now. `record` must have been begun before the page was opened where its
 * console or its requests are wanted. What had to be left out is said in a warning each.
 */
export async function readMetadata(
  capturing: CaptureState,
  wanted: WantedMetadata,
  record?: PageRecord,
): Promise<Metadata> {
  const head =
    wanted.pageTitle || wanted.openGraph || wanted.icon
      ? await evaluateInIsolatedWorld(capturing, "readHead", HEAD)
      : undefined;
  const { response } = capturing.activity.document;
  return {
    ...(head && wanted.pageTitle && { page_title: head.title || null }),
    ...(head && wanted.openGraph && { open_graph: openGraph(head) }),
    ...(head && wanted.icon && { icon: await icon(capturing, head) }),
    ...(wanted.fonts && { fonts: await fonts(capturing) }),
    ...(wanted.links && { links: await links(capturing, wanted.shadowDom) }),
    ...(wanted.console && record && { console: messages(capturing, record) }),
    ...(wanted.requests && record && { requests: record.requests }),
    ...((wanted.statusCode || wanted.responseHeaders) && {
      http_response: response ? httpExchange(response, { headers: wanted.responseHeaders }) : null,
    }),
    ...(wanted.content && { content: await content(capturing, wanted.content.format, wanted.shadowDom) }),
  };
}

const HEAD = { title: 1_000, properties: 200, value: 2_000, icons: 100, address: 8_000, elements: 10_000 };
const LINKS = { links: 2_000, text: 200, address: 2_000, elements: 1_000_000 };
const MAX_CONTENT = 2_000_000; // characters; it is a field of an answer that is read as a whole
const FONTS_MS = 5_000;
const ICON_MS = 2_000;

function openGraph(head: Head): Record<string, string | string[]> {
  const properties = new Map<string, string[]>();
  for (const [name, value] of head.openGraph) {
    properties.set(name, [...(properties.get(name) ?? []), withoutCredentials(value)]);
  }
  return Object.fromEntries(
    Array.from(properties, ([name, [first = "", ...others]]) => [name, others.length > 0 ? [first, ...others] : first]),
  );
}

async function icon({ session, activity, budget, now }: CaptureState, head: Head): Promise<string | null> {
  const named = chooseIcon(head.icons);
  if (named !== undefined) return withoutCredentials(named);
  const usual = URL.parse("/favicon.ico", activity.document.url);
  if (!usual || !/^https?:$/.test(usual.protocol)) return null;
  const looking = isPicture(session.cdp, usual.href).catch(() => false); // the page can navigate meanwhile
  const found = await withTimeout(looking, softAllowance(budget, now(), ICON_MS));
  return found ? withoutCredentials(usual.href) : null;
}

/** Chromium without windows never looks for the usual icon, and many servers answer any address with a page. */
async function isPicture(cdp: CDPSession, url: string): Promise<boolean> {
  const { resource } = await cdp.send("Network.loadNetworkResource", {
    frameId: await mainFrame(cdp),
    url,
    options: { disableCache: false, includeCredentials: true },
  });
  if (resource.stream) await cdp.send("IO.close", { handle: resource.stream });
  const headers = Object.entries((resource.headers ?? {}) as Record<string, string>);
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return resource.success && /^image\//i.test(type);
}

async function fonts({ session, budget, now, warnings }: CaptureState): Promise<readonly UsedFont[]> {
  const asking = session
    .attach()
    .then(usedFonts)
    .catch(() => undefined); // the page can navigate meanwhile
  const found = await withTimeout(asking, softAllowance(budget, now(), FONTS_MS));
  if (!found?.isComplete) warnings.push("The page is too large or too restless to find out all of its fonts.");
  return found?.fonts ?? [];
}

async function links(capturing: CaptureState, shadowDom: boolean): Promise<readonly Link[]> {
  const { links: first, found } = await evaluateInIsolatedWorld(capturing, "readLinks", shadowDom, LINKS);
  if (found > first.length)
    capturing.warnings.push(`The page has ${found} links; the first ${first.length} are listed.`);
  return first.map(({ url, text }) => ({ url: withoutCredentials(url), text }));
}

function messages({ warnings }: CaptureState, { console, consoleCount }: PageRecord): readonly ConsoleEntry[] {
  if (consoleCount > console.length) {
    warnings.push(`The page wrote ${consoleCount} messages to its console; the first ${console.length} are listed.`);
  }
  return console;
}

async function content(capturing: CaptureState, format: DocumentFormat, shadowDom: boolean): Promise<string> {
  const { text, isCut } = await readDocument(capturing, format, { shadowDom, characters: MAX_CONTENT });
  if (isCut) capturing.warnings.push(`The content of the page is cut at ${text.length} characters.`);
  return text;
}
