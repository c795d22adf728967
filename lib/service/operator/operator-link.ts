// One-time links by which an operator signs in, made on the machine of the service, or with the rights of its AWS account.
import * as v from "valibot";
import { createLinkToken } from "../sessions/secret-token.ts";
import { LINK_LIFETIME_MS } from "../sessions/sign-in-link.ts";
import { endOperatorItem, findOperatorItem, putOperatorItem } from "./operator-items.ts";

const LinkSchema = v.object({ name: v.string() });

/**
 * Creates a link to sign in as an operator from `now` (milliseconds since 1970) on, for 15 minutes. Its secret is stored nowhere. `name` is who the audit log
 * names: the user and the host that make the link.
 */
export async function createOperatorLink(
  table: string,
  { name, baseUrl, now }: { readonly name: string; readonly baseUrl: string; readonly now: number },
): Promise<string> {
  const token = createLinkToken();
  const link = { name, expires_at: now + LINK_LIFETIME_MS };
  await putOperatorItem(table, "LINK", token, link);
  return `${baseUrl}/operator/sign-in#token=${token}`; // no server and no log sees what follows the #
}

/** Redeems a link at `now`. Resolves to who made it; to undefined when it was used, has expired, or is unknown. */
export async function redeemOperatorLink(table: string, token: string, now: number): Promise<string | undefined> {
  const item = await findOperatorItem(table, "LINK", token, now);
  if (!item || !(await endOperatorItem(table, "LINK", token, item))) return undefined;
  return v.parse(LinkSchema, item).name;
}
