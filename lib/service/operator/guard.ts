// The guard of the operator's routes. It lets in an operator's session, and says to every other request that nothing exists at the path.
import { timingSafeEqual } from "node:crypto";
import { ApiError } from "../../contract/errors/api-error.ts";
import { type ApiRequest, allowsBody } from "../http/api-request.ts";
import { nothingExists } from "../http/nothing-exists.ts";
import { requireOwnPage } from "../http/own-origin.ts";
import type { Environment } from "../platform/environment.ts";
import { hashSecret } from "../sessions/secret-token.ts";
import { readCookie } from "../sessions/session-cookie.ts";
import { csrfTokenOf, findOperatorSession, type OperatorSession } from "./operator-session.ts";

declare const isOperator: unique symbol;

/** An operator who is signed in. Only `requireOperator` makes one, so what asks for it cannot forget to check. */
export interface Operator {
  readonly session: OperatorSession;
  readonly token: string;
  readonly [isOperator]: true;
}

/**
 * The operator whose session a request presents. API keys and sessions of customers are not read. Throws `NOT_FOUND`, as at a path that
 * doesn't exist, for every request without a session, and only then `FORBIDDEN` for one that another site may have started: with
 * something to change, it needs the header `X-CSRF-Token`, too.
 */
export async function requireOperator(
  request: ApiRequest,
  { ACCOUNTS_TABLE, BASE_URL }: Pick<Environment, "ACCOUNTS_TABLE" | "BASE_URL">,
): Promise<Operator> {
  const token = readCookie(request.cookies, "operator", BASE_URL);
  const session = token && (await findOperatorSession(ACCOUNTS_TABLE, token, request.receivedAt));
  if (!token || !session) throw nothingExists();
  request.keepPrivate();
  requireOwnPage(request);
  if (allowsBody(request)) requireCsrfToken(request, token);
  return { session, token } as Operator;
}

function requireCsrfToken({ headers }: Pick<ApiRequest, "headers">, token: string): void {
  const [sent, expected] = [headers["x-csrf-token"] ?? "", csrfTokenOf(token)].map((text) =>
    Buffer.from(hashSecret(text)),
  ) as [Buffer, Buffer];
  if (timingSafeEqual(sent, expected)) return;
  throw new ApiError(
    "FORBIDDEN",
    "The header X-CSRF-Token of a request that changes something must have the token that GET /operator/api/session gives.",
  );
}
