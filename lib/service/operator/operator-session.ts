// Sessions of operators: they last for twelve hours, however much they are used, and are of no use where customers sign in.
import * as v from "valibot";
import { createOperatorToken, hashSecret, isOperatorToken } from "../sessions/secret-token.ts";
import { endOperatorItem, findOperatorItem, putOperatorItem } from "./operator-items.ts";

/** How long a session lasts from its sign-in, in milliseconds. */
export const OPERATOR_SESSION_MS = 12 * 60 * 60 * 1000;

const SessionSchema = v.object({
  /** Who the audit log names: the address, or for a session that began with a link the user and host that made the link. */
  name: v.string(),
  /** The address that a code was sent to; null for a session that began with a link. */
  email: v.nullable(v.string()),
  created_at: v.number(),
  expires_at: v.number(),
});
export type OperatorSession = v.InferOutput<typeof SessionSchema>;

/** Starts a session at `now` (milliseconds since 1970). Resolves to it and to its token, which is stored nowhere. */
export async function createOperatorSession(
  table: string,
  { name, email }: Pick<OperatorSession, "name" | "email">,
  now: number,
): Promise<{ readonly session: OperatorSession; readonly token: string }> {
  const token = createOperatorToken();
  const session = { name, email, created_at: now, expires_at: now + OPERATOR_SESSION_MS };
  await putOperatorItem(table, "SESSION", token, session);
  return { session, token };
}

/** Finds the session of a token at `now` (milliseconds since 1970); undefined when it has ended, or the text is no token. */
export async function findOperatorSession(
  table: string,
  token: string,
  now: number,
): Promise<OperatorSession | undefined> {
  if (!isOperatorToken(token)) return undefined;
  const item = await findOperatorItem(table, "SESSION", token, now);
  return item && v.parse(SessionSchema, item);
}

/** Ends the session of a token. Does nothing when it has ended. */
export async function endOperatorSession(table: string, token: string, now: number): Promise<void> {
  const item = await findOperatorItem(table, "SESSION", token, now);
  if (item) await endOperatorItem(table, "SESSION", token, item);
}

/** The token that requests of the session's pages send to change something: other sites can't read it. It doesn't lead back to the session's. */
export function csrfTokenOf(token: string): string {
  return hashSecret(`csrf ${token}`);
}
