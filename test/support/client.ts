// An API client of the running service, with an account of its own.
import { expect, inject, vi } from "vitest";
import type { PlanName } from "../../lib/contract/plans.ts";
import type { Account } from "../../lib/service/account/account.ts";
import { openAccount } from "../../lib/service/account/open-account.ts";
import { findJob } from "../../lib/service/jobs/job-store.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";

export interface Client {
  readonly key: string;
  readonly account: Account;
  readonly accountId: number;
  readonly keyId: number;
  readonly signingSecret: string;
  /** A request with the key in its header. */
  get(path: string, query?: Record<string, string>): Promise<Response>;
  capture(options: Record<string, string>): Promise<Response>;
  /** The newest capture logs of the account. */
  logs(): Promise<Record<string, unknown>[]>;
}

interface Sent {
  /** Is sent as JSON, or as the form that it is. */
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a request with an API key. */
export function sendWith(
  { key }: Pick<Client, "key">,
  method: string,
  path: string,
  { body, headers, signal }: Sent = {},
): Promise<Response> {
  const isForm = body instanceof URLSearchParams;
  return fetch(`${inject("service").baseUrl}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && !isForm && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

/** What a response says; `json` is undefined where it has no body. */
export async function readJson(response: Promise<Response>) {
  const { status, headers } = await response;
  const text = await (await response).text();
  return { status, headers, json: text === "" ? undefined : JSON.parse(text) };
}

/** The state of an asynchronous capture once it has ended. Until then it is read from the table, by no request that counts. */
export async function endOf(id: number, by: Client) {
  const { activityTable } = inject("service");
  const look = async () => {
    const job = await findJob(activityTable, { account_id: by.accountId, id }, Date.now());
    expect(["success", "failed"]).toContain(job?.status);
  };
  await vi.waitFor(look, { timeout: 30_000, interval: 100 });
  return (await by.get(`/api/v1/screenshot/${id}`)).json();
}

/** Opens an account, so that no test sees what another did; `openedAt` is in milliseconds since 1970. */
export async function openClient({ plan = "max" as PlanName, openedAt = Date.now() } = {}): Promise<Client> {
  const service = inject("service");
  const { baseUrl, accountsTable } = service;
  useLocalData(service);
  const { ring, apiKey, key } = await openAccount(accountsTable, { plan, label: "Test", now: openedAt });
  const get = (path: string, query: Record<string, string> = {}) =>
    fetch(`${baseUrl}${path}?${new URLSearchParams(query)}`, { headers: { Authorization: `Bearer ${key}` } });
  return {
    key,
    account: ring.account,
    accountId: ring.account.id,
    keyId: apiKey.id,
    signingSecret: apiKey.signing_secret,
    get,
    capture: (options) => get("/api/v1/screenshot", options),
    logs: async () => (await (await get("/api/v1/usage")).json()).data,
  };
}
