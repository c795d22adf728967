// One-time links by which an operator lets the owner of an account sign in.
import * as v from "valibot";
import { deleteItem, putItem } from "../aws/items.ts";
import { signInLinkKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { createLinkToken, hashSecret } from "./secret-token.ts";

/** How long a link can be used, in milliseconds. */
export const LINK_LIFETIME_MS = 15 * 60 * 1000;

const LinkSchema = v.object({ account_id: v.number(), expires_at: v.number() });

/** A new link to an account. */
interface NewLink {
  readonly accountId: number;
  /** Address with which the link begins, without a trailing slash. */
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Creates a link to sign in to an account from `now` (milliseconds since 1970) on. Its secret is stored nowhere. */
export async function createSignInLink(table: string, facts: NewLink): Promise<string> {
  const { link, item } = newLink(facts);
  await putItem(table, item);
  return link;
}

/** Makes a link to sign in, and the write that stores it. */
export function signInLinkWrite(table: string, facts: NewLink): { readonly link: string; readonly write: Write } {
  const { link, item: Item } = newLink(facts);
  return { link, write: { Put: { TableName: table, Item } } };
}

function newLink({ accountId, baseUrl, now }: NewLink) {
  const token = createLinkToken();
  const expires_at = now + LINK_LIFETIME_MS;
  const item = {
    ...signInLinkKey(hashSecret(token)),
    account_id: accountId,
    expires_at,
    ttl: Math.ceil(expires_at / 1000),
  };
  return { link: `${baseUrl}/app/sign-in#token=${token}`, item }; // no server and no log sees what follows the #
}

/** Redeems a link at `now`. Resolves to the id of its account; to undefined when it was used, has expired or is unknown. */
export async function redeemSignInLink(table: string, token: string, now: number): Promise<number | undefined> {
  // Deleting returns the item to exactly one of several requests.
  const item = await deleteItem(table, signInLinkKey(hashSecret(token)));
  const link = item && v.parse(LinkSchema, item);
  return link && link.expires_at > now ? link.account_id : undefined;
}
