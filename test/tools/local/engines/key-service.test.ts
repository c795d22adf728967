// The local KMS: as the SDK's client sees it.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { expect, test } from "vitest";
import { clientOptions } from "../../../../lib/tools/local/engines/client-options.ts";
import { startKeyService } from "../../../../lib/tools/local/engines/key-service.ts";
import { closing } from "../../../support/closing.ts";
import { temporaryFolder } from "../support.ts";

const KeyId = "arn:aws:kms:us-east-1:000000000000:key/1";
const another = "arn:aws:kms:us-east-1:000000000000:key/2";
const EncryptionContext = { purpose: "links", stage: "local" };
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? "").toString("hex");

async function start(file?: string) {
  const service = await startKeyService(file);
  closing({ close: () => service.stop() });
  service.createKeys([KeyId, another]);
  return new KMSClient({ ...clientOptions(service.endpoint), maxAttempts: 1 });
}

test("local KMS: a data key is decrypted with its encryption context, in any order of its pairs", async () => {
  const client = await start();
  const { Plaintext, CiphertextBlob } = await client.send(
    new GenerateDataKeyCommand({ KeyId, KeySpec: "AES_256", EncryptionContext }),
  );
  expect(Plaintext).toHaveLength(32);
  const reordered = { stage: "local", purpose: "links" };
  const decrypted = await client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: reordered }));
  expect([decrypted.KeyId, text(decrypted.Plaintext)]).toEqual([KeyId, text(Plaintext)]);
});

test("local KMS: a ciphertext is not decrypted without its context, with another key, or after a change", async () => {
  const client = await start();
  const plaintext = { Plaintext: Buffer.from("secret"), EncryptionContext };
  const { CiphertextBlob = new Uint8Array() } = await client.send(new EncryptCommand({ KeyId, ...plaintext }));
  const error = (input: object) =>
    client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext, ...input })).catch(({ name }) => name);
  expect(await error({ EncryptionContext: undefined })).toBe("InvalidCiphertextException");
  expect(await error({ EncryptionContext: { ...EncryptionContext, stage: "prod" } })).toBe(
    "InvalidCiphertextException",
  );
  expect(await error({ KeyId: another })).toBe("IncorrectKeyException");
  expect(await error({ CiphertextBlob: CiphertextBlob.slice(1) })).toBe("InvalidCiphertextException");
  const unknown = new EncryptCommand({ KeyId: `${KeyId}0`, ...plaintext });
  await expect(client.send(unknown)).rejects.toMatchObject({ name: "NotFoundException" });
});

test("local KMS: keys survive a restart, in a file that only its owner can read", async () => {
  const file = join(await temporaryFolder(), "kms-keys.json");
  const { CiphertextBlob } = await (await start(file)).send(
    new EncryptCommand({ KeyId, Plaintext: Buffer.from("secret") }),
  );
  const { Plaintext } = await (await start(file)).send(new DecryptCommand({ KeyId, CiphertextBlob }));
  expect(Buffer.from(Plaintext ?? "").toString()).toBe("secret");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
