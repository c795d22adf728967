// Finds accounts by e-mail address, and opens trials for new addresses.
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { getItem } from "../aws/items.ts";
import { emailKey, trialKey } from "../aws/table-keys.ts";
import { cancellationReason, type Write } from "../aws/transaction.ts";
import { mailboxOf } from "../mail/addresses.ts";
import { hashSecret } from "../sessions/secret-token.ts";

const EmailSchema = v.object({ account_id: v.number() });

/** Finds the account of an address, exactly as it was given; undefined when none has it. */
export async function findAccountByEmail(table: string, email: string): Promise<number | undefined> {
  return findByHash(table, hashSecret(email));
}

async function findByHash(table: string, addressHash: string): Promise<number | undefined> {
  const item = await getItem(table, emailKey(addressHash));
  return item && v.parse(EmailSchema, item).account_id;
}

const TrialSchema = v.object({ address_hash: v.exactOptional(v.string()) });

/** The trial that a mailbox has had. */
export interface Trial {
  /** True if an account has the address, in the spelling for which the last account was opened. */
  readonly hasAccount: boolean;
}

/** The trial that the mailbox of an address has had; undefined without one. */
export async function findTrial(table: string, email: string): Promise<Trial | undefined> {
  const item = await getItem(table, trialKey(hashSecret(mailboxOf(email))));
  if (!item) return undefined;
  const { address_hash } = v.parse(TrialSchema, item);
  return { hasAccount: address_hash !== undefined && (await findByHash(table, address_hash)) !== undefined };
}

/** An address, and the account that has it or gets it. */
interface OwnedEmail {
  readonly email: string;
  readonly accountId: number;
}

/** The write that gives an address to an account. Its condition fails when another account has the address. */
export function emailWrite(table: string, { email, accountId }: OwnedEmail): Write {
  const Item = { ...emailKey(hashSecret(email)), account_id: accountId };
  return { Put: { TableName: table, Item, ...ownedBy(accountId) } };
}

/** The write that takes an address from an account. Its condition fails when another account has the address. */
export function releaseEmailWrite(table: string, owned: OwnedEmail): Write {
  return { Delete: emailRelease(table, owned) };
}

/** Takes an address from an account. Does nothing when the account does not have it. */
export async function releaseEmail(table: string, owned: OwnedEmail): Promise<void> {
  await cancellationReason(() => dynamodb().send(new DeleteCommand(emailRelease(table, owned))));
}

/** The address of an account that is being deleted can be another one's by now. */
function emailRelease(table: string, { email, accountId }: OwnedEmail) {
  return { TableName: table, Key: emailKey(hashSecret(email)), ...ownedBy(accountId) };
}

function ownedBy(accountId: number) {
  return {
    ConditionExpression: "attribute_not_exists(pk) OR account_id = :account",
    ExpressionAttributeValues: { ":account": accountId },
  };
}

/** The write that counts the trial of a mailbox. Its condition fails when the mailbox has had one. */
export function trialWrite(table: string, email: string): Write {
  return { Put: { ...trialItem(table, email), ConditionExpression: "attribute_not_exists(pk)" } };
}

/** The write for an account that a mailbox gets after its trial. */
export function returnWrite(table: string, email: string): Write {
  return { Put: trialItem(table, email) };
}

/** It outlives the account, so it has hashes alone. */
function trialItem(table: string, email: string) {
  return {
    TableName: table,
    Item: { ...trialKey(hashSecret(mailboxOf(email))), address_hash: hashSecret(email) },
  };
}
