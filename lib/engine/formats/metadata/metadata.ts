// Reads metadata of a captured page without changing it.

import type { CDPSession } from "puppeteer-core";
import * as v from "valibot";
import { withoutCredentials } from "../../errors/target-report.ts";
import type * as metadata from "../../injected/metadata.ts";
import type { Head, Link } from "../../injected/metadata.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import type { ConsoleEntry } from "../../page/console-record.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { mainFrame } from "../../page/main-frame.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import type { PageRecord } from "../../page/page-record.ts";
import type { RequestSummary } from "../../page/request-record.ts";
import { softAllowance } from "../../timing/budget.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import { type ReadFormat, readDocument } from "../document/documents.ts";
import { chooseIcon } from "./choose-icon.ts";
import { type HttpExchange, httpExchange } from "./http-exchange.ts";
import { type UsedFont, usedFonts } from "./used-fonts.ts";

/** The metadata to read. */
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
  readonly content?: { readonly format: ReadFormat };
  /** Links and content include open shadow roots. */
  readonly shadowDom: boolean;
}

/** The metadata found, by response field; only requested fields are present. URLs have no credentials. */
export interface Metadata {
  page_title?: string | null;
  /** Without the prefix `og:`; repeated properties become lists. */
  open_graph?: Record<string, string | string[]>;
  icon?: string | null;
  fonts?: readonly UsedFont[];
  links?: readonly Link[];
  console?: readonly ConsoleEntry[];
  requests?: RequestSummary;
  /** Null when the document did not come from a server. */
  http_response?: HttpExchange | null;
  content?: string;
}

/**
 * Reads the wanted metadata of the page in its current state. `record` must have been started before the navigation if
 * console or requests are wanted. Adds a warning for each omission.
 */
export async function readMetadata(
  capturing: CapturedPage,
  wanted: WantedMetadata,
  record?: PageRecord,
): Promise<Metadata> {
  const head =
    wanted.pageTitle || wanted.openGraph || wanted.icon
      ? await evaluateInIsolatedWorld(capturing, readHead, HEAD)
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
const MAX_CONTENT = 2_000_000; // characters; it is one field of a JSON response
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

async function icon({ session, activity, budget, now }: CapturedPage, head: Head): Promise<string | null> {
  const linkedIcon = chooseIcon(head.icons);
  if (linkedIcon !== undefined) return withoutCredentials(linkedIcon);
  const defaultIcon = URL.parse("/favicon.ico", activity.document.url);
  if (!defaultIcon || !/^https?:$/.test(defaultIcon.protocol)) return null;
  const checking = isImage(session.cdp, defaultIcon.href).catch(() => false); // the page may navigate meanwhile
  const found = await withTimeout(checking, softAllowance(budget, now(), ICON_MS));
  return found ? withoutCredentials(defaultIcon.href) : null;
}

/** Headless Chromium never requests /favicon.ico, and many servers answer any URL with a page. */
async function isImage(cdp: CDPSession, url: string): Promise<boolean> {
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

/** The fonts that a page is rendered with; undefined for one that changes too often, or takes too long. */
export async function readFonts({
  session,
  budget,
  now,
}: CapturedPage): Promise<{ readonly fonts: readonly UsedFont[]; readonly isComplete: boolean } | undefined> {
  const reading = session
    .attach()
    .then(usedFonts)
    .catch(() => undefined); // the page may navigate meanwhile
  return withTimeout(reading, softAllowance(budget, now(), FONTS_MS));
}

async function fonts(capturing: CapturedPage): Promise<readonly UsedFont[]> {
  const found = await readFonts(capturing);
  if (!found?.isComplete)
    capturing.warnings.push("The list of fonts is incomplete: the page is too large, or changes too often.");
  return found?.fonts ?? [];
}

async function links(capturing: CapturedPage, shadowDom: boolean): Promise<readonly Link[]> {
  const { links: first, found } = await evaluateInIsolatedWorld(capturing, readLinks, shadowDom, LINKS);
  if (found > first.length)
    capturing.warnings.push(`The page has ${found} links; the first ${first.length} are listed.`);
  return first.map(({ url, text }) => ({ url: withoutCredentials(url), text }));
}

function messages({ warnings }: CapturedPage, { console, consoleCount }: PageRecord): readonly ConsoleEntry[] {
  if (consoleCount > console.length) {
    warnings.push(`The page wrote ${consoleCount} messages to its console; the first ${console.length} are listed.`);
  }
  return console;
}

async function content(capturing: CapturedPage, format: ReadFormat, shadowDom: boolean): Promise<string> {
  const { text, isCut } = await readDocument(capturing, format, { shadowDom, characters: MAX_CONTENT });
  if (isCut) capturing.warnings.push(`The content of the page is cut at ${text.length} characters.`);
  return text;
}

const readHead: PageFunction<typeof metadata.readHead> = pageFunction("documents", "readHead", {
  result: v.object({
    title: v.string(),
    openGraph: v.array(v.tuple([v.string(), v.string()])),
    icons: v.array(v.object({ url: v.string(), isTouchIcon: v.boolean(), type: v.string(), sizes: v.string() })),
  }),
});

const readLinks: PageFunction<typeof metadata.readLinks> = pageFunction("documents", "readLinks", {
  result: v.object({ links: v.array(v.object({ url: v.string(), text: v.string() })), found: v.number() }),
});
