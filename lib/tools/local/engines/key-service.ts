// The local engine of KMS: keys of the template, in a private file, and the three calls that the service makes. A ciphertext names
// its key and is bound to its encryption context. https://docs.aws.amazon.com/kms/latest/APIReference/Welcome.html
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { listen, refuseForeignHosts, stopListening } from "../loopback.ts";

export interface KeyService {
  readonly endpoint: string;
  /** Creates the keys of these ARNs that do not exist yet. */
  createKeys(arns: readonly string[]): void;
  stop(): Promise<void>;
}

/** Starts the engine on a free port. Without a file, the keys live as long as it runs. */
export async function startKeyService(file?: string): Promise<KeyService> {
  const keys = new Map(file !== undefined && existsSync(file) ? readKeys(file) : []);
  const server = createServer((request, response) => {
    handle(request, keys).then(
      (result) => send(response, 200, result),
      (error) => sendError(response, error),
    );
  });
  refuseForeignHosts(server);
  return {
    endpoint: `http://${await listen(server)}`,
    createKeys(arns) {
      const missing = arns.filter((arn) => !keys.has(arn));
      if (missing.length === 0) return;
      for (const arn of missing) keys.set(arn, randomBytes(KEY_BYTES));
      if (file !== undefined) writeKeys(file, keys);
    },
    stop: () => stopListening(server),
  };
}

const KEY_BYTES = 32;

type Keys = ReadonlyMap<string, Buffer>;

function readKeys(file: string): [arn: string, key: Buffer][] {
  const stored = v.parse(v.record(v.string(), v.string()), JSON.parse(readFileSync(file, "utf8")));
  return Object.entries(stored).map(([arn, key]) => [arn, Buffer.from(key, "base64")]);
}

function writeKeys(file: string, keys: Keys): void {
  const stored = Object.fromEntries([...keys].map(([arn, key]) => [arn, key.toString("base64")]));
  writeFileSync(file, JSON.stringify(stored), { mode: 0o600 });
}

/** An error as KMS names it. */
class KeyServiceError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

const ContextSchema = v.optional(v.record(v.string(), v.string()), {});
type EncryptionContext = v.InferOutput<typeof ContextSchema>;
const EncryptSchema = v.object({ KeyId: v.string(), Plaintext: v.string(), EncryptionContext: ContextSchema });
const GenerateSchema = v.object({
  KeyId: v.string(),
  KeySpec: v.literal("AES_256"),
  EncryptionContext: ContextSchema,
});
const DecryptSchema = v.object({
  KeyId: v.exactOptional(v.string()),
  CiphertextBlob: v.string(),
  EncryptionContext: ContextSchema,
});

async function handle(request: IncomingMessage, keys: Keys): Promise<object> {
  const target = request.headers["x-amz-target"];
  const input = (schema: v.GenericSchema) => text(request).then((body) => v.parse(schema, JSON.parse(body)));
  switch (target) {
    case "TrentService.Encrypt": {
      const { KeyId, Plaintext, EncryptionContext } = (await input(EncryptSchema)) as v.InferOutput<
        typeof EncryptSchema
      >;
      return encrypted(keys, { KeyId, EncryptionContext }, Buffer.from(Plaintext, "base64"));
    }
    case "TrentService.GenerateDataKey": {
      const facts = (await input(GenerateSchema)) as v.InferOutput<typeof GenerateSchema>;
      const dataKey = randomBytes(KEY_BYTES);
      return { ...encrypted(keys, facts, dataKey), Plaintext: dataKey.toString("base64") };
    }
    case "TrentService.Decrypt":
      return decrypted(keys, (await input(DecryptSchema)) as v.InferOutput<typeof DecryptSchema>);
    default:
      throw new KeyServiceError("UnknownOperationException", `The operation ${target} is unknown.`);
  }
}

interface KeyUse {
  readonly KeyId: string;
  readonly EncryptionContext: EncryptionContext;
}

function encrypted(keys: Keys, { KeyId, EncryptionContext }: KeyUse, plaintext: Buffer) {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", findKey(keys, KeyId), iv).setAAD(toBytes(EncryptionContext));
  const sealed = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  const blob = Buffer.from(JSON.stringify({ key: KeyId, sealed: sealed.toString("base64") }));
  return { KeyId, CiphertextBlob: blob.toString("base64") };
}

function decrypted(
  keys: Keys,
  { KeyId, CiphertextBlob, EncryptionContext }: v.InferOutput<typeof DecryptSchema>,
): object {
  const { key, sealed } = readCiphertext(CiphertextBlob);
  if (KeyId !== undefined && KeyId !== key) {
    throw new KeyServiceError("IncorrectKeyException", "The key ID in the request does not identify the key.");
  }
  const material = findKey(keys, key);
  const bytes = Buffer.from(sealed, "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", material, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(toBytes(EncryptionContext)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const plaintext = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return { KeyId: key, Plaintext: plaintext.toString("base64"), EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
  } catch {
    throw new KeyServiceError("InvalidCiphertextException", "");
  }
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

const CiphertextSchema = v.object({ key: v.string(), sealed: v.string() });

function readCiphertext(blob: string): v.InferOutput<typeof CiphertextSchema> {
  try {
    return v.parse(CiphertextSchema, JSON.parse(Buffer.from(blob, "base64").toString("utf8")));
  } catch {
    throw new KeyServiceError("InvalidCiphertextException", "");
  }
}

function findKey(keys: Keys, arn: string): Buffer {
  const key = keys.get(arn);
  if (!key) throw new KeyServiceError("NotFoundException", `Key '${arn}' does not exist`);
  return key;
}

/** The order of a context's pairs has no meaning. */
function toBytes(context: EncryptionContext): Buffer {
  const pairs = Object.entries(context).toSorted(([a], [b]) => Number(a > b) - Number(a < b));
  return Buffer.from(JSON.stringify(pairs));
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, error: unknown): void {
  const { name, message } = error instanceof KeyServiceError ? error : new KeyServiceError("ValidationException", "");
  send(response, 400, { __type: name, message });
}
