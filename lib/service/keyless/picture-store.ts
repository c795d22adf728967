// Keeps the pictures of captures without an API key for an hour: one item of the Activity table for each address, no object in the bucket.
import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { KEYLESS_CACHE_S } from "../../contract/keyless-capture.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { putItem } from "../aws/items.ts";
import { keylessPictureKey } from "../aws/table-keys.ts";

/** DynamoDB allows 400 KB for an item. Noise, which compresses worst, takes 150 KB at this size. */
const MAX_PICTURE_BYTES = 350_000;

const PictureSchema = v.object({ picture: v.instance(Uint8Array), captured_at: v.number() });

export interface StoredPicture {
  readonly picture: Buffer;
  /** In milliseconds since 1970. */
  readonly capturedAt: number;
}

/** Finds the picture of an address that is less than an hour old at `now` (milliseconds since 1970). */
export async function findPicture(table: string, url: string, now: number): Promise<StoredPicture | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: keylessPictureKey(hashOf(url)) }));
  if (!Item) return undefined;
  const { picture, captured_at: capturedAt } = v.parse(PictureSchema, Item);
  // DynamoDB deletes items some time after they expire.
  return now - capturedAt < KEYLESS_CACHE_S * 1000 ? { picture: Buffer.from(picture), capturedAt } : undefined;
}

/** Stores a picture in place of an earlier one. Does nothing with one that is too large for an item. */
export async function storePicture(table: string, url: string, { picture, capturedAt }: StoredPicture): Promise<void> {
  if (picture.length > MAX_PICTURE_BYTES) return;
  const ttl = Math.ceil(capturedAt / 1000) + KEYLESS_CACHE_S;
  const item = { ...keylessPictureKey(hashOf(url)), picture, captured_at: capturedAt, ttl };
  await putItem(table, item);
}

function hashOf(url: string): string {
  return createHash("sha256").update(url).digest("hex");
}
