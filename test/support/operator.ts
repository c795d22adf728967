// An operator who is signed in to the running service, by the requests of the operator's page.
import { inject } from "vitest";
import { createOperatorLink } from "../../lib/service/operator/operator-link.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { cookieOf, ownPage } from "./signed-in.ts";

export interface SignedInOperator {
  readonly cookie: string;
  readonly csrfToken: string;
  /** A request of the operator's page, with its token against cross-site requests. `path` is below `/operator/api`. */
  readonly request: (method: string, path: string, body?: unknown) => Promise<Response>;
}

interface OperatorRequest {
  readonly cookie?: string;
  readonly csrfToken?: string;
  readonly body?: unknown;
}

/** A request of the operator's page. */
export function fromOperatorPage(
  method: string,
  path: string,
  { cookie, csrfToken, body }: OperatorRequest = {},
): Promise<Response> {
  return fetch(`${inject("service").baseUrl}/operator/api/${path}`, {
    method,
    headers: {
      ...ownPage,
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(csrfToken !== undefined && { "X-CSRF-Token": csrfToken }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

/** The token of a new one-time link for an operator; `now` is in milliseconds since 1970. */
export async function operatorLinkToken(now = Date.now(), name = "root@host"): Promise<string> {
  const service = inject("service");
  useLocalData(service);
  const link = await createOperatorLink(service.accountsTable, { name, baseUrl: service.baseUrl, now });
  return new URL(link).hash.replace("#token=", "");
}

/** Signs in by a one-time link. */
export async function signInOperator(): Promise<SignedInOperator> {
  const response = await fromOperatorPage("POST", "sign-in/link", { body: { token: await operatorLinkToken() } });
  if (response.status !== 201) throw new Error(`Signing in failed: ${await response.text()}`);
  const cookie = cookieOf(response);
  const { csrf_token: csrfToken } = (await response.json()) as { csrf_token: string };
  return {
    cookie,
    csrfToken,
    request: (method, path, body) => fromOperatorPage(method, path, { cookie, csrfToken, body }),
  };
}
