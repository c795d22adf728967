// Downloads packages from an npm registry, and extracts files of them whose integrity is verified.
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import * as v from "valibot";
import { LocalServiceError } from "../../local/local-service-error.ts";

const Manifest = v.object({
  version: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/)),
  dist: v.object({ tarball: v.string(), integrity: v.string() }),
});

export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly tarball: string;
  /** Subresource Integrity of the tarball. */
  readonly integrity: string;
}

const TIMEOUT_MS = 120_000;
const MAX_TARBALL_BYTES = 200 * 2 ** 20;
/** Of one file. The largest list has 15 MB. */
const MAX_FILE_BYTES = 100 * 2 ** 20;

/**
 * The registry of npm's settings, or the public one. Throws `LocalServiceError` for one without TLS that is not on this machine: the
 * integrity of a package comes from the registry itself.
 */
export function npmRegistry(env: Readonly<Record<string, string | undefined>>): string {
  const address = env["npm_config_registry"] ?? env["NPM_CONFIG_REGISTRY"] ?? "https://registry.npmjs.org/";
  requireSecure(address, "npm_config_registry");
  return address.endsWith("/") ? address.slice(0, -1) : address;
}

/** The newest version of a package. Throws `LocalServiceError` when the registry does not answer with one. */
export async function newestVersion(registry: string, name: string): Promise<PublishedPackage> {
  const answer = await request(`${registry}/${name.replace("/", "%2f")}/latest`);
  const parsed = v.safeParse(Manifest, await answer.json().catch(() => undefined));
  if (!parsed.success) throw new LocalServiceError(`${registry} answers without a version of ${name}.`);
  const { version, dist } = parsed.output;
  requireSecure(dist.tarball, `The address of ${name}`);
  return { name, version, ...dist };
}

/**
 * Extracts the named files of a package to a folder, once the whole tarball has the integrity that the registry states. Throws
 * `LocalServiceError` when it has another, or lacks a file.
 */
export async function extractPackage(
  { name, version, tarball, integrity }: PublishedPackage,
  folder: string,
  files: readonly string[],
): Promise<void> {
  const bytes = await download(tarball);
  const actual = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (!integrity.split(/\s+/).includes(actual))
    throw new LocalServiceError(
      `${name} ${version} from ${tarball} does not have the integrity that the registry states. Nothing was installed.`,
    );
  const missing = new Set(files);
  const unpacked = extract();
  const unpacking = pipeline(Readable.from([bytes]), createGunzip(), unpacked);
  unpacking.catch(() => undefined); // the loop over the entries throws the same error
  for await (const entry of unpacked) {
    const path = entry.header.name.replace(/^[^/]*\//, ""); // npm ignores the name of the first folder
    if (entry.header.type !== "file" || !missing.delete(path)) {
      entry.resume();
      continue;
    }
    if ((entry.header.size ?? 0) > MAX_FILE_BYTES) throw new LocalServiceError(`${path} of ${name} is too large.`);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), await buffer(entry));
  }
  await unpacking;
  if (missing.size > 0)
    throw new LocalServiceError(
      `${name} ${version} lacks ${[...missing].join(", ")}. This version of the service cannot use it: update the service.`,
    );
}

async function download(url: string): Promise<Buffer> {
  const { body } = await request(url);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_TARBALL_BYTES) throw new LocalServiceError(`${url} is larger than ${MAX_TARBALL_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function request(url: string): Promise<Response> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause) => {
    throw new LocalServiceError(`${url} cannot be reached: ${(cause as Error).cause ?? cause}`, { cause });
  });
  if (!answer.ok) throw new LocalServiceError(`${url} answers ${answer.status}.`);
  return answer;
}

function requireSecure(address: string, what: string): void {
  const { protocol, hostname } = new URL(address);
  const isLocal = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isLocal))
    throw new LocalServiceError(`${what} must be an https address, not '${address}'.`);
}
