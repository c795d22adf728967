// Which requests of a page are kept from it: by what the caller names, by their kind, and by filter lists.
import type { FiltersEngine, NetworkFilter, Request } from "@ghostery/adblocker";
import type { Protocol } from "puppeteer-core";
import type { ResourceType } from "../../options/groups/blocking.ts";
import type { Intervention, PausedRequest } from "../page/interception.ts";
import { stubResponse } from "./stub-responses.ts";
import { matchesUrlPattern } from "./url-pattern.ts";

export interface PageRequest {
  readonly url: string;
  readonly kind: RequestKind;
  /** Address of the document that asks. */
  readonly by: string;
}

export interface RequestRules {
  readonly lists?: LoadedLists | undefined;
  readonly requests: readonly string[];
  readonly resources: readonly ResourceType[];
}

export interface LoadedLists {
  readonly engines: readonly FiltersEngine[];
  /** Makes what engines are asked about. */
  readonly requestOf: typeof Request.fromRawDetails;
}

/** What becomes of a request, which is not for the page itself: undefined lets it through. */
export function findBlockingRule(rules: RequestRules, { url, kind, by }: PageRequest): Intervention | undefined {
  if (rules.resources.some((blocked) => isOfKind(kind, blocked))) return BLOCKED;
  if (rules.requests.some((pattern) => matchesUrlPattern(pattern, url))) return BLOCKED;
  if (!rules.lists) return undefined;
  const { engines, requestOf } = rules.lists;
  const sourceUrl = by.startsWith("http") ? by : NOWHERE;
  const filter = filterOf(engines, requestOf({ url, type: listTypes[kind], sourceUrl }));
  if (!filter) return undefined;
  const answer = filter.isRedirect() ? stubResponse(filter.getRedirectResource()) : undefined;
  return answer ? { answer } : BLOCKED;
}

/** True where a list wants a whole page to stay as it is. */
export function isExempt({ engines, requestOf }: LoadedLists, url: string): boolean {
  if (!url.startsWith("http")) return false;
  const page = requestOf({ url, type: "main_frame", sourceUrl: url });
  const exceptions = engines.flatMap((engine) => engine.exceptions.matchAll(page));
  return exceptions.some((exception) => exception.fromDocument() && !exception.fromAny());
}

const BLOCKED = { blocked: true } as const;

/** To HTML without an address everything is of a third party. */
const NOWHERE = "https://document.invalid/";

/** An exception in one list holds for the others, too: they are made to be used together. */
function filterOf(engines: readonly FiltersEngine[], request: Request): NetworkFilter | undefined {
  const matches = engines.map((engine) => engine.match(request));
  const important = matches.find(({ filter }) => filter?.isImportant());
  if (important) return important.filter;
  const found = matches.find(({ match }) => match);
  if (!found || engines.some((engine) => engine.exceptions.match(request))) return undefined;
  return found.filter;
}

/** What kinds of requests can be told from each other: Chromium holds `fetch` and XMLHttpRequest as one. */
export type RequestKind = Exclude<ResourceType, "fetch"> | "ping" | "csp-report";

/** Told by their headers are what Chromium takes for others: streams of events, and tracks of words beside a film. */
export function requestKind({ resourceType, request }: Pick<PausedRequest, "resourceType" | "request">): RequestKind {
  const kind = kinds[resourceType] ?? "other";
  if (kind === "xhr") return headerOf(request, "accept") === "text/event-stream" ? "eventsource" : "xhr";
  if (kind === "media") return headerOf(request, "range") === undefined ? "texttrack" : "media";
  return kind;
}

function headerOf({ headers }: PausedRequest["request"], wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** The types by which Chromium can be asked to hold the kinds that a caller names. */
export function interceptedTypes(wanted: readonly ResourceType[]): Protocol.Network.ResourceType[] {
  return [...new Set(wanted.flatMap((kind) => typesOf[kind]))];
}

function isOfKind(kind: RequestKind, wanted: ResourceType): boolean {
  if (wanted === "fetch") return kind === "xhr";
  return kind === wanted || (wanted === "other" && (kind === "ping" || kind === "csp-report"));
}

const typesOf: Readonly<Record<ResourceType, readonly Protocol.Network.ResourceType[]>> = {
  document: ["Document"],
  stylesheet: ["Stylesheet"],
  image: ["Image"],
  media: ["Media"],
  font: ["Font"],
  script: ["Script"],
  texttrack: ["Media"],
  xhr: ["XHR", "Fetch"],
  fetch: ["XHR", "Fetch"],
  eventsource: ["XHR", "EventSource"],
  websocket: [], // it holds none
  manifest: ["Other"],
  other: ["Other", "Ping", "CSPViolationReport"],
};

const kinds: Partial<Record<Protocol.Network.ResourceType, RequestKind>> = {
  Document: "document",
  Stylesheet: "stylesheet",
  Image: "image",
  Media: "media",
  Font: "font",
  Script: "script",
  TextTrack: "texttrack",
  XHR: "xhr",
  Fetch: "xhr",
  EventSource: "eventsource",
  Manifest: "manifest",
  Ping: "ping",
  CSPViolationReport: "csp-report",
};

/** The names by which lists know them. */
const listTypes = {
  document: "sub_frame",
  stylesheet: "stylesheet",
  image: "image",
  media: "media",
  font: "font",
  script: "script",
  texttrack: "other",
  xhr: "xhr",
  eventsource: "eventsource",
  websocket: "websocket",
  manifest: "other",
  ping: "ping",
  "csp-report": "cspReport",
  other: "other",
} as const satisfies Record<RequestKind, string>;
