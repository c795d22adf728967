// Decides which requests of a page are blocked: by the caller's patterns and resource types, and by filter lists.
import type { FiltersEngine, NetworkFilter, Request } from "@ghostery/adblocker";
import type { Protocol } from "puppeteer-core";
import type { ResourceType } from "../../contract/options/groups/blocking.ts";
import { matchesUrlPattern } from "../injected/url-pattern.ts";
import type { Intervention, PausedRequest } from "../page/interception.ts";
import { matchedPart } from "./matched-part.ts";
import { stubResponse } from "./stub-responses.ts";

export interface PageRequest {
  readonly url: string;
  readonly kind: RequestKind;
  /** URL of the document that makes the request. */
  readonly documentUrl: string;
}

export interface RequestRules {
  readonly lists?: LoadedLists | undefined;
  readonly requests: readonly string[];
  readonly resources: readonly ResourceType[];
}

export interface LoadedLists {
  readonly engines: readonly FiltersEngine[];
  /** Creates the requests that engines match. */
  readonly requestOf: typeof Request.fromRawDetails;
}

/** How to intervene in a request other than that of the page itself; undefined to let it through. */
export function findBlockingRule(
  rules: RequestRules,
  { url, kind, documentUrl }: PageRequest,
): Intervention | undefined {
  if (rules.resources.some((blocked) => isKind(kind, blocked))) return BLOCKED;
  const address = matchedPart(url);
  if (rules.requests.some((pattern) => matchesUrlPattern(pattern, address))) return BLOCKED;
  if (!rules.lists) return undefined;
  const { engines, requestOf } = rules.lists;
  const sourceUrl = documentUrl.startsWith("http") ? documentUrl : NO_URL;
  const filter = findFilter(engines, requestOf({ url, type: filterTypes[kind], sourceUrl }));
  if (!filter) return undefined;
  const answer = filter.isRedirect() ? stubResponse(filter.getRedirectResource()) : undefined;
  return answer ? { answer } : BLOCKED;
}

/** True for a page that an exception rule of a list exempts as a whole. */
export function isExempt({ engines, requestOf }: LoadedLists, url: string): boolean {
  if (!url.startsWith("http")) return false;
  const page = requestOf({ url, type: "main_frame", sourceUrl: url });
  const exceptions = engines.flatMap((engine) => engine.exceptions.matchAll(page));
  return exceptions.some((exception) => exception.fromDocument() && !exception.fromAny());
}

const BLOCKED = { blocked: true } as const;

/** For HTML without a URL, every request is third-party. */
const NO_URL = "https://document.invalid/";

/** An exception in one list holds for the others, too: they are made to be used together. */
function findFilter(engines: readonly FiltersEngine[], request: Request): NetworkFilter | undefined {
  const matches = engines.map((engine) => engine.match(request));
  const important = matches.find(({ filter }) => filter?.isImportant());
  if (important) return important.filter;
  const found = matches.find(({ match }) => match);
  if (!found || engines.some((engine) => engine.exceptions.match(request))) return undefined;
  return found.filter;
}

/** Resource types that can be distinguished: interception reports `fetch` as XMLHttpRequest. */
export type RequestKind = Exclude<ResourceType, "fetch"> | "ping" | "csp-report";

/** Event streams and text tracks are recognised by their headers, because Chromium reports them as other types. */
export function requestKind({ resourceType, request }: Pick<PausedRequest, "resourceType" | "request">): RequestKind {
  const kind = kindsByType[resourceType] ?? "other";
  if (kind === "xhr") return findHeader(request, "accept") === "text/event-stream" ? "eventsource" : "xhr";
  if (kind === "media") return findHeader(request, "range") === undefined ? "texttrack" : "media";
  return kind;
}

function findHeader({ headers }: PausedRequest["request"], wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Chromium's resource types to intercept for the types that a caller names. */
export function interceptedTypes(wanted: readonly ResourceType[]): Protocol.Network.ResourceType[] {
  return [...new Set(wanted.flatMap((kind) => typesByKind[kind]))];
}

function isKind(kind: RequestKind, wanted: ResourceType): boolean {
  if (wanted === "fetch") return kind === "xhr";
  return kind === wanted || (wanted === "other" && (kind === "ping" || kind === "csp-report"));
}

const typesByKind: Readonly<Record<ResourceType, readonly Protocol.Network.ResourceType[]>> = {
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
  websocket: [], // cannot be intercepted
  manifest: ["Other"],
  other: ["Other", "Ping", "CSPViolationReport"],
};

const kindsByType: Partial<Record<Protocol.Network.ResourceType, RequestKind>> = {
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

/** The names of the types in filter lists. */
const filterTypes = {
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
