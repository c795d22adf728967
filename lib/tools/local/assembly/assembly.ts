// Reads a cloud assembly (the output of `cdk synth`): stacks with their templates and assets.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { LocalServiceError } from "../local-service-error.ts";

export interface Stack {
  readonly name: string;
  readonly template: Template;
  /** Path of each asset on this machine, by the S3 object key in the template. */
  readonly assets: ReadonlyMap<string, string>;
}

export interface Template {
  readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>
  >;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** The stacks of an assembly in dependency order. Throws `LocalServiceError` when there is no assembly. */
export async function readAssembly(folder: string): Promise<Stack[]> {
  const manifest = await readJson<Manifest>(folder, "manifest.json");
  const ids = inDependencyOrder(manifest.artifacts);
  return Promise.all(ids.map((id) => readStack(folder, id, manifest.artifacts)));
}

interface Manifest {
  readonly artifacts: Readonly<Record<string, Artifact>>;
}

interface Artifact {
  readonly type: string;
  readonly dependencies?: readonly string[];
  readonly properties?: { readonly templateFile?: string; readonly file?: string; readonly stackName?: string };
}

function inDependencyOrder(artifacts: Manifest["artifacts"]): string[] {
  const ordered = new Set<string>();
  const visit = (id: string) => {
    if (ordered.has(id)) return;
    for (const dependency of artifacts[id]?.dependencies ?? []) visit(dependency);
    ordered.add(id);
  };
  for (const id of Object.keys(artifacts)) visit(id);
  return [...ordered].filter((id) => artifacts[id]?.type === "aws:cloudformation:stack");
}

async function readStack(folder: string, id: string, artifacts: Manifest["artifacts"]): Promise<Stack> {
  const { properties = {}, dependencies = [] } = artifacts[id] ?? {};
  const assetFiles = dependencies.flatMap((dependency) => {
    const artifact = artifacts[dependency];
    return artifact?.type === "cdk:asset-manifest" ? (artifact.properties?.file ?? []) : [];
  });
  const [template, ...assets] = await Promise.all([
    readJson<Template>(folder, properties.templateFile ?? `${id}.template.json`),
    ...assetFiles.map((file) => readAssets(folder, file)),
  ]);
  return { name: properties.stackName ?? id, template, assets: new Map(assets.flat()) };
}

interface AssetManifest {
  readonly files?: Readonly<
    Record<
      string,
      {
        readonly source: { readonly path?: string };
        readonly destinations: Readonly<Record<string, { readonly objectKey: string }>>;
      }
    >
  >;
}

async function readAssets(folder: string, file: string): Promise<[objectKey: string, path: string][]> {
  const { files = {} } = await readJson<AssetManifest>(folder, file);
  return Object.values(files).flatMap(({ source, destinations }) => {
    const { path } = source;
    if (path === undefined) return [];
    return Object.values(destinations).map(({ objectKey }): [string, string] => [objectKey, resolve(folder, path)]);
  });
}

async function readJson<T>(folder: string, file: string): Promise<T> {
  const path = resolve(folder, file);
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new LocalServiceError(`${path} cannot be read. Synthesize the app first.`, { cause });
  }
}
