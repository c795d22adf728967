// An npm registry on loopback that serves packages of a test.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";

export interface TestPackage {
  readonly version: string;
  /** Contents by their path in the tarball. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Bytes that the registry serves in place of the tarball whose integrity it states. */
  readonly served?: Buffer;
}

export interface TestRegistry {
  /** Without a slash at the end. */
  readonly url: string;
  /** Makes a version the newest one. */
  publish(name: string, published: TestPackage): Promise<void>;
  close(): Promise<void>;
}

export async function startRegistry(): Promise<TestRegistry> {
  const answers = new Map<string, string | Buffer>();
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? "");
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  const url = `http://${await listen(server)}`;
  return {
    url,
    async publish(name, { version, files, served }) {
      const tarball = await createTarball(files);
      const path = `/${encodeURIComponent(name)}-${version}.tgz`;
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      answers.set(path, served ?? tarball);
      const manifest = { name, version, dist: { tarball: `${url}${path}`, integrity } };
      answers.set(`/${name.replace("/", "%2f")}/latest`, JSON.stringify(manifest));
    },
    close: () => stopListening(server),
  };
}

async function createTarball(files: TestPackage["files"]): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return gzipSync(await buffer(archive), { level: 1 });
}
