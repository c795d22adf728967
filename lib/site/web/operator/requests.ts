// Requests of the operator's page: each that changes something carries the session's token against cross-site requests.
import { RequestError, type Send, send } from "../ui/api.ts";
import type { OperatorSession } from "./answers.ts";

/** The path of the operator's API below the base URL. */
export const API = "/operator/api";

/**
 * Returns how requests are sent with a session. Without one, each path is answered as if it didn't exist: a request whose session has ended
 * rejects with status 401. Where the browser has signed in again in another tab, the request is sent once more with that session's token.
 */
export function sendWithToken(csrfToken: string): Send {
  const attempt = <Answer>(token: string, ...[method, path, body, options]: Parameters<Send>): Promise<Answer> =>
    send<Answer>(method, path, body, {
      ...options,
      headers: { ...options?.headers, ...(method !== "GET" && { "X-CSRF-Token": token }) },
    });
  return async <Answer>(...request: Parameters<Send>): Promise<Answer> => {
    try {
      return await attempt<Answer>(csrfToken, ...request);
    } catch (error) {
      if (!(error instanceof RequestError) || !(error.status === 404 || error.status === 403)) throw error;
      const session = await readSession();
      if (!session) throw new RequestError(401, {});
      if (error.status === 404 || session.csrf_token === csrfToken) throw error;
      return attempt<Answer>(session.csrf_token, ...request);
    }
  };
}

/** The session of this browser; undefined without one. */
async function readSession(): Promise<OperatorSession | undefined> {
  try {
    return await send<OperatorSession>("GET", `${API}/session`);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return undefined;
    throw error;
  }
}
