// Fetches npm packages into a cache folder, and serves a package's pages with what they want from content delivery networks.
import { execFile } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import tar from "tar-fs";
import { fileIn, startFolderSite } from "../../../../test/fixtures/folder-site.ts";
import type { Site } from "../../../../test/fixtures/site.ts";

const run = promisify(execFile);

/** Where the files of other packages are on a package's site. */
const PREFIX = "/.npm/";

/**
 * Addresses of content delivery networks, and the package and the file there. Scoped names and exact versions are part of the
 * addresses of the first one; of the others, the file in the package is another.
 */
const networks: readonly (readonly [RegExp, string])[] = [
  [/(?:https?:)?\/\/(?:cdn\.jsdelivr\.net\/npm|unpkg\.com)\/((?:@[\w.-]+\/)?[\w.-]+@\d[\w.-]*)\//g, "$1/"],
  [/(?:https?:)?\/\/use\.fontawesome\.com\/releases\/v(\d[\d.]*)\//g, "@fortawesome/fontawesome-free@$1/"],
  [/(?:https?:)?\/\/cdnjs\.cloudflare\.com\/ajax\/libs\/Chart\.js\/([\d.]+)\//g, "chart.js@$1/dist/"],
  [
    /(?:https?:)?\/\/cdnjs\.cloudflare\.com\/ajax\/libs\/require\.js\/([\d.]+)\/require\.min\.js/g,
    "requirejs@$1/require.js",
  ],
  [/(?:https?:)?\/\/cdnjs\.cloudflare\.com\/ajax\/libs\/normalize\/([\d.]+)\//g, "normalize.css@$1/"],
  [
    /(?:https?:)?\/\/cdnjs\.cloudflare\.com\/ajax\/libs\/simple-line-icons\/([\d.]+)\/css\/simple-line-icons\.min\.css/g,
    "simple-line-icons@$1/css/simple-line-icons.css",
  ],
  [/(?:https?:)?\/\/cdnjs\.cloudflare\.com\/ajax\/libs\/SimpleLightbox\/([\d.]+)\//g, "simplelightbox@$1/dist/"],
  [/(?:https?:)?\/\/code\.jquery\.com\/jquery-([\d.]+?)(\.min)?\.js/g, "jquery@$1/dist/jquery$2.js"],
  // The package of version 1.8 is for Node.js.
  [
    /(?:https?:)?\/\/ajax\.googleapis\.com\/ajax\/libs\/jquery\/1\.8\.\d\/jquery(\.min)?\.js/g,
    "jquery@1.12.4/dist/jquery$1.js",
  ],
];

/** The text of a page whose addresses of content delivery networks lead to its own site. */
export const useOwnSite = (text: string) =>
  networks.reduce((changed, [address, file]) => changed.replace(address, `${PREFIX}${file}`), text);

export class NpmPackages {
  readonly #cache: string;
  readonly #fetched = new Map<string, Promise<string>>();

  /** `cache`: the folder in which fetched packages stay for the next run. */
  constructor(cache: string) {
    this.#cache = cache;
  }

  /** The folder of a package, by its name and version (`aos@2.3.4`). Rejects when the registry doesn't have it. */
  fetch(spec: string): Promise<string> {
    const folder = this.#fetched.get(spec) ?? this.#fetchOnce(spec);
    this.#fetched.set(spec, folder);
    return folder;
  }

  async #fetchOnce(spec: string): Promise<string> {
    const target = join(this.#cache, spec.replaceAll("/", "+"));
    if (existsSync(target)) return target;
    await mkdir(this.#cache, { recursive: true });
    const folder = await mkdtemp(join(this.#cache, ".fetching-"));
    try {
      await run("npm", ["pack", spec, "--silent", "--ignore-scripts", "--pack-destination", folder]);
      const file = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
      if (file === undefined) throw new Error(`npm packed no file for ${spec}.`);
      const unpacked = join(folder, "package");
      await pipeline(createReadStream(join(folder, file)), createGunzip(), tar.extract(unpacked, { strip: 1 }));
      await rename(unpacked, target);
      return target;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Serves the files below `root` of a package. */
  async serve(spec: string, root: string): Promise<Site> {
    const folder = join(await this.fetch(spec), root);
    const resolveFile = async (path: string) => {
      const [, other, file] = /^\/\.npm\/((?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(path) ?? [];
      if (other === undefined || file === undefined) return fileIn(folder, path);
      const found = await this.fetch(other).catch(() => undefined);
      return found && fileIn(found, file);
    };
    return startFolderSite(folder, { resolveFile, rewrite: useOwnSite });
  }
}
