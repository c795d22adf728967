// Which functions decode what a page may have chosen, in a stage whose Chromium has a function of its own: those without rights alone. A
// page that has broken out of Chromium writes the bytes of its results, and a fault of a decoder would be its way to the rights.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { buildOptions } from "../../../lib/infra/bundling/bundle.ts";
import { ServiceFunction } from "../../../lib/infra/functions/service-function.ts";
import { stageConfig } from "../../../lib/infra/stages.ts";
import { appWith } from "../synthesized.ts";

const project = join(import.meta.dirname, "../../..");

/** What decodes images, videos, PDFs, compressed data, and markup. */
const DECODERS =
  /["']sharp["']|\bloadSharp\b|["']mediabunny["']|\bpageCount\b|\bfirstPageSize\b|\b(?:createI|i|createG|g|createU|u)n(?:flate|zip)\w*\(|\b(?:brotli|zstd)Decompress|\bcreate(?:Brotli|Zstd)Decompress|\bUnzip\w*\b|\bDOMParser\b|["'](?:parse5|htmlparser2|linkedom|jsdom|cheerio|yauzl|unzipper|pako|exifr|image-size|pdf-lib|pdfjs-dist)/;

function functionsOf(renderer: "separate" | "embedded"): Map<string, ServiceFunction> {
  const tenantIsolation = renderer === "separate";
  const perDay = { keylessCaptures: { ...stageConfig("local").keylessCaptures, perDay: 10 } };
  const { service } = appWith({ ...stageConfig("prod"), ...perDay, renderer, tenantIsolation });
  const found = service.node.findAll().filter((construct) => construct instanceof ServiceFunction);
  return new Map(found.map((fn) => [basename(fn.source.entry, ".ts"), fn]));
}

/** What a request with several outputs counts as is planned by the engine, which runs none of the steps: it reads options alone. */
const PLANNER = "lib/engine/pipeline/plan/plan-loads.ts";

/** The modules in the bundle of a function, with its threads, except those that are there for the planner alone. */
function bundledModules({ source: { entry, bundle } }: ServiceFunction): string[] {
  const { metafile } = buildSync({
    ...buildOptions(entry, join(project, "bundle"), bundle),
    write: false,
    metafile: true,
  });
  const parts = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const bundled = new Set(parts.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path));
  const reached = new Set(
    Object.values(metafile.outputs)
      .flatMap(({ entryPoint }) => entryPoint ?? [])
      .filter((path) => isEntry(path, { entry, bundle })),
  );
  for (const path of reached)
    for (const { path: imported } of metafile.inputs[path]?.imports ?? [])
      if (imported !== PLANNER) reached.add(imported);
  return [...bundled].filter((path) => reached.has(path)).toSorted();
}

/** Dynamic imports are entry points of chunks, too. */
function isEntry(path: string, { entry, bundle }: ServiceFunction["source"]): boolean {
  return [entry, ...Object.values(bundle.threads ?? {})].some((module) => module.endsWith(path));
}

const decoders = (fn: ServiceFunction) =>
  bundledModules(fn).filter(
    (module) => !module.startsWith("node_modules/") && DECODERS.test(readFileSync(join(project, module), "utf8")),
  );

/** Modules of callers of the renderer, each with why it may decode. */
const UNPACKS_ITS_OWN_LAYER = "lib/engine/browser/packed-files.ts";
const LOADS_SHARP = "lib/engine/formats/screenshot/raster-source.ts";
const DRAWS_ITS_OWN_PICTURE = "lib/service/captures/fallback-image.ts";

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  screenshot: [UNPACKS_ITS_OWN_LAYER, LOADS_SHARP, DRAWS_ITS_OWN_PICTURE],
  render: [UNPACKS_ITS_OWN_LAYER],
  "invoice-pdf": [UNPACKS_ITS_OWN_LAYER],
  canary: [UNPACKS_ITS_OWN_LAYER],
};

/** They run Chromium, and reach no account. */
const RUN_CHROMIUM = ["renderer", "try"];

describe("a stage with Chromium in a function of its own", () => {
  const functions = functionsOf("separate");

  test("has functions with decoders, so that a search that finds none says something", () => {
    for (const file of RUN_CHROMIUM) {
      const fn = functions.get(file);
      expect(fn && decoders(fn)).toContain(LOADS_SHARP);
    }
    const mcp = functionsOf("embedded").get("mcp");
    expect(mcp && decoders(mcp)).toEqual(["lib/service/mcp/model-picture.ts"]);
  });

  test.each([...functions.keys()].filter((file) => !RUN_CHROMIUM.includes(file)))(
    "decodes nothing in %s but what it makes itself",
    (file) => {
      const fn = functions.get(file);
      expect(fn && decoders(fn)).toEqual(ALLOWED[file] ?? []);
    },
  );

  test("copies sharp next to the bundles that use it, and no other", () => {
    const carriers = [...functions].filter(([, { source }]) => source.bundle.nativePackages?.includes("sharp"));
    expect(carriers.map(([file]) => file).toSorted()).toEqual(["renderer", "screenshot", "try"]);
  });
});
