// Which requests of a page are kept from it: by what the caller names, by their kind, and by filter lists.
import type { FiltersEngine, NetworkFilter, Request } from "@ghostery/adblocker";
import type { Protocol } from "puppeteer-core";
import type { ResourceType } from "../../contract/options/blocking.ts";
import type { Intervention } from "../page/interception.ts";
import { isNamedBy } from "./address-pattern.ts";
import { emptyAnswer } from "./empty-answers.ts";

export interface AskedFor {
  readonly url: string;
  readonly type: Protocol.Network.ResourceType;
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
export function refusalOf(rules: RequestRules, { url, type, by }: AskedFor): Intervention | undefined {
  if (rules.resources.includes(kindOf(type))) return BLOCKED;
  if (rules.requests.some((pattern) => isNamedBy(pattern, url))) return BLOCKED;
  if (!rules.lists) return undefined;
  const { engines, requestOf } = rules.lists;
  const sourceUrl = by.startsWith("http") ? by : NOWHERE;
  const filter = filterOf(engines, requestOf({ url, type: listType(type), sourceUrl }));
  if (!filter) return undefined;
  const answer = filter.isRedirect() ? emptyAnswer(filter.getRedirectResource()) : undefined;
  return answer ? { answer } : BLOCKED;
}

/** True where a list wants a whole page to stay as it is. */
export function isLeftAlone({ engines, requestOf }: LoadedLists, url: string): boolean {
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

/** The kind by which callers know a request. */
export function kindOf(type: Protocol.Network.ResourceType): ResourceType {
  return kinds[type] ?? "other";
}

const kinds: Partial<Record<Protocol.Network.ResourceType, ResourceType>> = {
  Document: "document",
  Stylesheet: "stylesheet",
  Image: "image",
  Media: "media",
  Font: "font",
  Script: "script",
  TextTrack: "texttrack",
  XHR: "xhr",
  Fetch: "fetch",
  EventSource: "eventsource",
  WebSocket: "websocket",
  Manifest: "manifest",
};

/** The kind by which lists know it. */
function listType(
  type: Protocol.Network.ResourceType,
): NonNullable<Parameters<typeof Request.fromRawDetails>[0]["type"]> {
  if (type === "Document") return "sub_frame";
  if (type === "Ping") return "ping";
  if (type === "CSPViolationReport") return "cspReport";
  const kind = kindOf(type);
  return kind === "manifest" || kind === "texttrack" ? "other" : kind;
}
