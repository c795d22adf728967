// The data keys that encrypt the secrets of a stage (envelope encryption): KMS decrypts one of them once per process, and no secret by
// itself. https://docs.aws.amazon.com/kms/latest/developerguide/kms-cryptography.html
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand } from "@aws-sdk/client-kms";
import { kms } from "../aws/clients/kms.ts";
import { getItem, putItem } from "../aws/items.ts";
import { type DataKeyName, dataKeyKey } from "../aws/table-keys.ts";
import { optionalVariable } from "../platform/environment.ts";

/** The purposes for which secrets are encrypted, each with a key of its own. */
export interface DataKeys {
  /** Encrypts the secrets of API keys, which sign links and webhooks, and those of result links. */
  readonly links: KeyObject;
  /** Encrypts the secrets of saved webhook receivers; undefined in a function that may not read them. */
  readonly receivers: KeyObject | undefined;
  /** Encrypts the operator's secret; undefined in a function that may not read it. */
  readonly operator: KeyObject | undefined;
}

/** The encryption context of a data key. The roles of functions, and KMS's log in CloudTrail, name it. */
export const encryptionContext = (name: DataKeyName) => ({ purpose: name });

const cached = new Map<string, Promise<DataKeys | undefined>>();

/**
 * Returns the data keys that this process may use, as the variable `DATA_KEY` says: `stage`, from which all others are derived, or
 * `links` alone. Undefined while the stage has none, because no operator's command has created them.
 */
export async function findDataKeys(table: string): Promise<DataKeys | undefined> {
  const known = cached.get(table) ?? decryptDataKeys(table);
  cached.set(table, known);
  try {
    const keys = await known;
    if (!keys) cached.delete(table); // they may be created at any time
    return keys;
  } catch (error) {
    cached.delete(table);
    throw error;
  }
}

async function decryptDataKeys(table: string): Promise<DataKeys | undefined> {
  const name = optionalVariable("DATA_KEY") ?? "stage";
  const stored = await readDataKey(table, name);
  if (!stored) return undefined;
  const key = createSecretKey(await decryptDataKey(name, stored));
  return name === "links" ? { links: key, receivers: undefined, operator: undefined } : deriveKeys(key);
}

/** Whether the stage of this table has data keys, so that secrets are encrypted. */
export async function hasDataKeys(table: string): Promise<boolean> {
  return (await readDataKey(table, "links")) !== undefined;
}

interface StoredDataKey {
  /** What KMS has encrypted, in base64. */
  readonly ciphertext: string;
  /** ARN of the KMS key. */
  readonly kms_key: string;
}

async function readDataKey(table: string, name: DataKeyName): Promise<StoredDataKey | undefined> {
  return (await getItem(table, dataKeyKey(name))) as StoredDataKey | undefined;
}

async function decryptDataKey(name: DataKeyName, { ciphertext, kms_key }: StoredDataKey): Promise<Uint8Array> {
  const command = new DecryptCommand({
    KeyId: kms_key,
    CiphertextBlob: Buffer.from(ciphertext, "base64"),
    EncryptionContext: encryptionContext(name),
  });
  const { Plaintext } = await kms().send(command);
  if (!Plaintext) throw new Error(`KMS returned no plaintext of the data key '${name}'.`);
  return Plaintext;
}

function deriveKeys(stageKey: KeyObject): DataKeys {
  const derive = (purpose: string) => createSecretKey(Buffer.from(hkdfSync("sha256", stageKey, "", purpose, 32)));
  return { links: derive("links"), receivers: derive("receivers"), operator: derive("operator") };
}

/**
 * Creates the data keys unless they exist: conditional writes, so that of several concurrent calls the first one wins. Only the
 * operator's commands call this, which name the KMS key in the variable `SECRETS_KEY`. No function's role may write these items.
 */
export async function createDataKeys(table: string): Promise<void> {
  if (!(await readDataKey(table, "stage"))) {
    const command = new GenerateDataKeyCommand({
      KeyId: kmsKey(),
      KeySpec: "AES_256",
      EncryptionContext: encryptionContext("stage"),
    });
    await storeDataKey(table, "stage", (await kms().send(command)).CiphertextBlob);
  }
  if (await readDataKey(table, "links")) return;
  const keys = await findDataKeys(table);
  const command = new EncryptCommand({
    KeyId: kmsKey(),
    Plaintext: keys?.links.export(),
    EncryptionContext: encryptionContext("links"),
  });
  await storeDataKey(table, "links", (await kms().send(command)).CiphertextBlob);
}

function kmsKey(): string {
  const key = optionalVariable("SECRETS_KEY");
  if (key === undefined) throw new Error("The variable SECRETS_KEY, the ARN of the stage's KMS key, is missing.");
  return key;
}

async function storeDataKey(table: string, name: DataKeyName, ciphertext: Uint8Array | undefined): Promise<void> {
  if (!ciphertext) throw new Error(`KMS returned no ciphertext of the data key '${name}'.`);
  const stored: StoredDataKey = { ciphertext: Buffer.from(ciphertext).toString("base64"), kms_key: kmsKey() };
  await putItem(table, { ...dataKeyKey(name), ...stored }, "attribute_not_exists(pk)");
}
