// Bundles the scripts, styles, and fonts of the website with esbuild; their names contain a hash of their content.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { displayFont } from "./display-font.ts";

const projectRoot = join(import.meta.dirname, "../..");

const picturesFolder = join(projectRoot, "lib/site/web/pictures");

const PLAYGROUND = "lib/site/web/playground/main.tsx";
const DASHBOARD_STYLE = "lib/site/web/app/app.css";
const DASHBOARD_ENTRIES = "lib/site/web/app/entries";
const OPERATOR = "lib/site/web/operator/main.tsx";
const STATUS_STYLE = "lib/site/web/styles/status.css";
const STATUS_SCRIPT = "lib/site/web/status.ts";
const SEARCH = "lib/site/web/search/palette.ts";
/** Made by `npm run pictures -- --social`. */
const SOCIAL_PICTURE = "social.png";

export interface BrowserAssets {
  /** The content of each file by its name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Names of the files that every page but the playground loads. */
  readonly stylesheet: string;
  readonly script: string;
  /** Names of the files that the playground loads in their place: a first view takes at most five requests. */
  readonly playground: PageAssets;
  /** Those of the dashboard, by the name of the entry: a document loads that of its screen. */
  readonly dashboard: ReadonlyMap<string, PageAssets>;
  /** Those of the operator's page. */
  readonly operator: PageAssets;
  /** Names of the files that the operator's page alone loads. */
  readonly operatorFiles: ReadonlySet<string>;
  /** The style sheet and the script of the status page, which has them inline. */
  readonly status: { readonly style: string; readonly script: string };
  /** Name of the font of headings. */
  readonly font: string;
  /** Name of the picture for social networks. */
  readonly socialPicture: string;
  /** Names of the pictures by their file in lib/site/web/pictures. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Names of the pictures of effects, by option. */
  readonly optionPictures: ReadonlyMap<string, string>;
}

/** Names of the files that a page loads in place of those of the others. */
export interface PageAssets {
  readonly script: string;
  readonly stylesheet: string;
  /** Scripts that the script imports, which the browser loads with it. */
  readonly preload?: readonly string[];
}

/** Throws what esbuild reports. */
export async function buildBrowserAssets(): Promise<BrowserAssets> {
  const font = await displayFont();
  const search = await bundle({ search: SEARCH }, { font });
  const shared = { font, search: search.outputOf(SEARCH).name };
  // Builds of their own: in one, what several scripts import would be a further file.
  const [pages, playground, dashboard, operator, status] = await Promise.all([
    bundle({ site: "lib/site/web/styles/site.css", script: "lib/site/web/site.ts" }, shared),
    bundle({ playground: PLAYGROUND }, shared),
    bundle({ dashboard: DASHBOARD_STYLE, ...dashboardEntries() }, shared),
    bundle({ operator: OPERATOR }, shared),
    bundle({ status: STATUS_STYLE, script: STATUS_SCRIPT }, shared),
  ]);
  const pictures = readPictures();
  const customerFiles = new Map([
    ...search.files,
    ...pages.files,
    ...playground.files,
    ...dashboard.files,
    ...pictures.map(({ name, content }) => [name, content] as const),
  ]);
  return {
    files: new Map([...customerFiles, ...operator.files]),
    operatorFiles: new Set([...operator.files.keys()].filter((name) => !customerFiles.has(name))),
    stylesheet: pages.outputOf("lib/site/web/styles/site.css").name,
    script: pages.outputOf("lib/site/web/site.ts").name,
    playground: pageAssets(playground.outputOf(PLAYGROUND)),
    dashboard: dashboardAssets(dashboard),
    operator: pageAssets(operator.outputOf(OPERATOR)),
    status: { style: status.textOf(STATUS_STYLE), script: status.textOf(STATUS_SCRIPT) },
    font: fontName(pages),
    socialPicture: pictures.find(({ file }) => file === SOCIAL_PICTURE)?.name ?? "",
    pictures: new Map(pictures.map(({ file, name }) => [file, name])),
    optionPictures: new Map(
      pictures
        .filter(({ file }) => file.startsWith("option-"))
        .map(({ file, name }) => [file.slice("option-".length, -".webp".length), name]),
    ),
  };
}

function fontName({ files }: { files: ReadonlyMap<string, Uint8Array> }): string {
  return [...files.keys()].find((name) => name.endsWith(".woff2")) ?? "";
}

function pageAssets({ name, stylesheet = "" }: { name: string; stylesheet: string | undefined }): PageAssets {
  return { script: name, stylesheet };
}

/** The modules of `web/app/entries/` by the names of their files. */
function dashboardEntries(): Record<string, string> {
  const files = readdirSync(join(projectRoot, DASHBOARD_ENTRIES)).toSorted();
  return Object.fromEntries(files.map((file) => [basename(file, ".ts"), `${DASHBOARD_ENTRIES}/${file}`]));
}

/** Throws if an entry needs more than one file besides its own, because a first view takes at most five requests. */
function dashboardAssets({ outputOf }: Awaited<ReturnType<typeof bundle>>): ReadonlyMap<string, PageAssets> {
  const stylesheet = outputOf(DASHBOARD_STYLE).name;
  const entries = Object.entries(dashboardEntries()).map(([name, file]) => {
    const { name: script, imports } = outputOf(file);
    if (imports.length > 1) throw new Error(`${file} loads ${imports}: name what screens share in shared-modules.ts.`);
    return [name, { script, stylesheet, preload: imports }] as const;
  });
  return new Map(entries);
}

/** The pictures that `npm run pictures` made, and the diagrams, under names with a hash of their content. */
function readPictures(): { file: string; name: string; content: Uint8Array }[] {
  const files = readdirSync(picturesFolder).filter((file) => /\.(webp|png|svg|avif|mp4|webm)$/.test(file));
  return files.toSorted().map((file) => {
    const content = readFileSync(join(picturesFolder, file));
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 8).toUpperCase();
    return { file, name: file.replace(/(?=\.\w+$)/, `-${hash}`), content };
  });
}

interface SharedAssets {
  /** The font of headings. */
  readonly font: Uint8Array;
  /** Name of the script that the search dialog loads. */
  readonly search?: string;
}

async function bundle(entryPoints: Readonly<Record<string, string>>, { font, search }: SharedAssets) {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.entries(entryPoints).map(([out, file]) => ({ in: join(projectRoot, file), out })),
    absWorkingDir: projectRoot, // part of the names of generated files
    outdir: "lib/site/web/dist/assets", // names the results; nothing is written
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: ["chrome123", "firefox128", "safari17.5"], // the first with light-dark() and popover
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "eof",
    metafile: true,
    write: false,
    logLevel: "warning",
    loader: { ".svg": "file", ".png": "file", ".webp": "file" },
    plugins: [
      fontPlugin(font),
      ...(search === undefined ? [] : [searchPlugin(search)]),
      pdfWorkerPlugin,
      deviceListPlugin,
      otherServicesPlugin,
      errorKindsPlugin,
      ...(Object.values(entryPoints).includes(PLAYGROUND) ? [problemKindsPlugin] : []),
    ],
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const outputOf = (file: string) => {
    const [path, output] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === file) ?? [];
    if (path === undefined) throw new Error(`esbuild built nothing from ${file}.`);
    const imports = output?.imports.filter(({ kind, external }) => kind === "import-statement" && !external) ?? [];
    return {
      name: basename(path),
      stylesheet: output?.cssBundle && basename(output.cssBundle),
      imports: imports.map((each) => basename(each.path)),
    };
  };
  return { files, outputOf, textOf: (file: string) => Buffer.from(files.get(outputOf(file).name) ?? []).toString() };
}

/** Lets style sheets name the generated font. */
const fontPlugin = (font: Uint8Array): Plugin => ({
  name: "font",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^display-font\.woff2$/ }, ({ path }) => ({ path, namespace: "font" }));
    onLoad({ filter: /.*/, namespace: "font" }, () => ({ contents: font, loader: "file" }));
  },
});

/** The pages, the playground, and the dashboard import the same built script of the search, which a browser loads once. */
const searchPlugin = (name: string): Plugin => ({
  name: "search",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/palette\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: `./${name}`, external: true } : undefined,
    );
  },
});

/** The worker of PDF.js is a script of its own: the module `pdf-worker` exports its address relative to the importing script. */
const pdfWorkerPlugin: Plugin = {
  name: "pdf-worker",
  setup({ onResolve, onLoad }) {
    const file = createRequire(import.meta.url).resolve("pdfjs-dist/legacy/build/pdf.worker.min.mjs");
    const module = 'export { default as workerPath } from "pdf-worker.js"';
    onResolve({ filter: /^pdf-worker(\.js)?$/ }, ({ path }) => ({ path, namespace: "pdf-worker" }));
    onLoad({ filter: /^pdf-worker$/, namespace: "pdf-worker" }, () => ({ contents: module }));
    onLoad({ filter: /\.js$/, namespace: "pdf-worker" }, () => ({ contents: readFileSync(file), loader: "file" }));
  },
};

/** Leaves the user agents out of puppeteer's list of devices: the playground names devices, and emulates none. */
const deviceListPlugin: Plugin = {
  name: "device-list",
  setup({ onLoad }) {
    onLoad({ filter: /puppeteer\/common\/Device\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(/userAgent: '[^']*'/g, "userAgent: ''"),
    }));
  },
};

/** Leaves out the suggestions for names of other services' options: the search of the playground loads those names when it is used. */
const otherServicesPlugin: Plugin = {
  name: "other-services",
  setup({ onLoad }) {
    onLoad({ filter: /lib\/contract\/options\/other-services\.ts$/ }, () => ({
      contents: "export const suggestOption = () => undefined;",
    }));
  },
};

/** Leaves out what error codes mean: pages link to the reference, and have the messages of the errors themselves. */
const errorKindsPlugin = meaningPlugin("error-kinds", /lib\/contract\/errors\/error-kinds\.ts$/);

/** Leaves out what problems mean, which the dashboard shows: the playground has their messages. */
const problemKindsPlugin = meaningPlugin("problem-kinds", /lib\/contract\/problems\/problem-kinds\.ts$/);

function meaningPlugin(name: string, filter: RegExp): Plugin {
  return {
    name,
    setup: ({ onLoad }) =>
      onLoad({ filter }, ({ path }) => ({
        contents: readFileSync(path, "utf8").replaceAll(/meaning:\s*(?:"(?:[^"\\]|\\.)*"[\s+]*)+,/g, 'meaning: "",'),
        loader: "ts",
      })),
  };
}
