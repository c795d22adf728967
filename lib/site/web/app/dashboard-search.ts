// What the search finds in the dashboard besides the documentation: its screens, the account's API keys, and captures by id.
import type { CaptureStates, Keys, UsageSearch } from "../../../../clients/typescript/src/generated/types.ts";
import type { SearchDocument } from "../search/search-document.ts";
import type { SearchSource } from "../search/search-source.ts";
import { mayBeSignedIn } from "../session-hint.ts";
import { send } from "../ui/api.ts";
import type { Screen } from "./screen.ts";
import type { SessionState, SignedInAccount, SignedOut } from "./session.ts";

type NamedScreen = Pick<Screen, "path" | "title">;

/** What each screen is for, and other words for that. */
const subjects: Readonly<Record<string, readonly [about: string, keywords: string]>> = {
  "": ["Today's captures, the quota, and problems", "home start dashboard summary status health"],
  keys: ["Create, rename, rotate, and revoke keys", "token secret credential signing env"],
  captures: [
    "Every capture with its result or error, also asynchronous ones",
    "history log gallery requests screenshots images errors failed export csv jobs queue webhooks redeliver test event bulk",
  ],
  webhooks: [
    "Saved receivers of webhooks, their deliveries, and test events",
    "hooks endpoint receiver callback signing secret rotate pause resume replay send again redeliver test event",
  ],
  usage: ["Captures per day, by format, host, and key", "statistics analytics chart graph metrics traffic csv"],
  billing: [
    "The plan, what is used of it, and invoices",
    "invoice bill receipt payment price pricing cost upgrade downgrade cancel subscription quota overage",
  ],
  account: [
    "Name, e-mail address, sessions, export, and deletion",
    "settings profile email alerts notifications sign out browsers delete account download data gdpr privacy",
  ],
};

/**
 * Nothing is found without a session, and no more than answers: a failed request leaves its part out. Of a suspended account, the screens
 * that are left to it are found alone: the service answers nothing else.
 */
export function dashboardSearch(screensOf: (account: SignedInAccount) => readonly NamedScreen[]): SearchSource {
  let reading: Promise<SignedInAccount | undefined> = Promise.resolve(undefined);
  let isActive = false;
  return {
    documents: async () => {
      if (!mayBeSignedIn()) return [];
      reading = readAccount();
      const account = await reading;
      isActive = account?.suspension === null;
      if (!account) return [];
      return [...screensOf(account).map(screenDocument), ...(isActive ? await keyDocuments() : [])];
    },
    lookUp: async (query) => {
      const id = requestId(query);
      if (id === undefined || (await reading)?.suspension !== null) return [];
      const found = await Promise.allSettled([capturesOf(id), jobsOf(id)]);
      return found.flatMap((each) => (each.status === "fulfilled" ? each.value : [])).slice(0, 1);
    },
    offers: (query) => (isActive && looksLikeAddress(query) ? [addressFilter(query.trim())] : []),
  };
}

/** The account that the browser is signed in to now; undefined without one. */
async function readAccount(): Promise<SignedInAccount | undefined> {
  const { account } = await send<SessionState | SignedOut>("GET", "/session");
  return account ?? undefined;
}

function screenDocument({ path, title }: NamedScreen): SearchDocument {
  const [about, keywords] = subjects[path] ?? ["", ""];
  return {
    kind: "screen",
    path: path === "" ? "/app" : `/app/${path}`,
    page: "Screen",
    title,
    runs: [about],
    keywords,
  };
}

async function keyDocuments(): Promise<SearchDocument[]> {
  try {
    const { data } = await send<Keys>("GET", "/api/v1/keys");
    return data
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ id, label, key_prefix }) => ({
        kind: "key",
        path: `/app/keys?open=${id}`,
        page: "API keys",
        title: label,
        runs: ["", `${key_prefix}…`],
      }));
  } catch {
    return [];
  }
}

/** The first number of the text that can be an id: people paste it with the words around it. */
function requestId(text: string): number | undefined {
  const [digits] = /\d{12,16}/.exec(text) ?? [];
  return digits !== undefined && Number.isSafeInteger(Number(digits)) ? Number(digits) : undefined;
}

/** The lists have no filter by id; the newest entry that isn't newer than the id is the one, if it exists. */
const atMost = (id: number) => new URLSearchParams({ before: String(id + 1), limit: "1" });

async function capturesOf(id: number): Promise<SearchDocument[]> {
  const { data } = await send<UsageSearch>("GET", `/api/v1/usage/search?${atMost(id)}`);
  return data
    .filter((log) => log.id === id)
    .map(({ url, status, format, error_message }) => captureDocument(id, [status, format, url, error_message]));
}

async function jobsOf(id: number): Promise<SearchDocument[]> {
  const { data } = await send<CaptureStates>("GET", `/api/v1/jobs?${atMost(id)}`);
  return data
    .filter((job) => job.request_id === id)
    .map(({ status, format, page_url }) => captureDocument(id, [status, format, page_url]));
}

const captureDocument = (id: number, facts: readonly (string | null)[]): SearchDocument => ({
  kind: "capture",
  path: `/app/captures/${id}`,
  page: "Captures",
  title: String(id),
  runs: [facts.filter(Boolean).join(" · ")],
});

const looksLikeAddress = (query: string) => /[./]\w/.test(query) && !/\s/.test(query.trim());

/** A link to the list, which asks the service for nothing until it is followed. */
function addressFilter(part: string): SearchDocument {
  return {
    kind: "capture",
    path: `/app/captures?${new URLSearchParams({ url: part })}`,
    page: "Captures",
    title: `Captures with “${part}” in the address`,
    runs: [],
  };
}
