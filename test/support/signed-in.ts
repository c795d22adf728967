// A browser that is signed in to an account, by its requests: with cookies, and with the headers that browsers send.
import { inject } from "vitest";
import { createSignInLink } from "../../lib/service/sessions/sign-in-link.ts";
import { fetchFrom } from "./other-networks.ts";

export interface SignedInBrowser {
  /** The `Cookie` header of its requests. */
  readonly cookie: string;
  readonly request: (method: string, path: string, body?: unknown) => Promise<Response>;
}

/** The headers of a request that the service's own page starts. */
export const ownPage = { "Sec-Fetch-Site": "same-origin" };

interface PageRequest {
  readonly body?: unknown;
  readonly cookie?: string;
  /** Another address of the loopback network, such as `127.0.0.9`, which has limits of its own. */
  readonly localAddress?: string;
}

/** A request that the service's own page starts, with a JSON body. */
export function fromOwnPage(
  method: string,
  path: string,
  { body, cookie, localAddress }: PageRequest = {},
): Promise<Response> {
  const headers = {
    ...ownPage,
    ...(cookie !== undefined && { Cookie: cookie }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const address = `${inject("service").baseUrl}${path}`;
  const text = body === undefined ? null : JSON.stringify(body);
  const request = { method, headers, body: text };
  return localAddress === undefined ? fetch(address, request) : fetchFrom(localAddress, address, request);
}

/** The token of a new one-time link to an account. */
export async function linkToken(accountId: number, now = Date.now()): Promise<string> {
  const { accountsTable, baseUrl } = inject("service");
  return new URL(await createSignInLink(accountsTable, { accountId, baseUrl, now })).hash.replace("#token=", "");
}

/** The `Cookie` header for the cookies that a response sets. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** Signs in by a one-time link. */
export async function signIn(accountId: number): Promise<SignedInBrowser> {
  const response = await fromOwnPage("POST", "/session", { body: { token: await linkToken(accountId) } });
  if (response.status !== 201) throw new Error(`Signing in failed: ${await response.text()}`);
  return withCookie(cookieOf(response));
}

export function withCookie(cookie: string): SignedInBrowser {
  return {
    cookie,
    request: (method, path, body) => fromOwnPage(method, path, { cookie, ...(body !== undefined && { body }) }),
  };
}
