// Builds an assembly in stages: the layers and the website in parallel, then the functions and templates. The app would build all
// of them one after the other.
import { existsSync } from "node:fs";
import type { Artifact } from "../../../build/artifact.ts";
import { evictOlderThan } from "../../../build/publish-folder.ts";
import { runBuild } from "./build-process.ts";
import { type SynthesizeOptions, synthesize } from "./synthesize.ts";

/** Runs a stage of the start, which may take seconds. */
export type RunStage = (title: string, work: () => Promise<unknown>) => Promise<unknown>;

/** Like `synthesize`, in stages. */
export async function synthesizeInStages(
  options: SynthesizeOptions,
  artifacts: readonly Artifact[],
  runStage: RunStage,
): Promise<string> {
  await buildMissing(artifacts, options, runStage);
  await runStage("Functions", () => synthesize(options));
  return options.output;
}

/** Builds the artifacts that are missing, those that others need before them. Throws `LocalServiceError` when one cannot be built. */
export async function buildMissing(
  artifacts: readonly Artifact[],
  { project, isBackground = false }: Pick<SynthesizeOptions, "project" | "isBackground">,
  runStage: RunStage,
): Promise<void> {
  const builds = new Map<Artifact, Promise<void>>();
  const build = (artifact: Artifact): Promise<void> => {
    const started = builds.get(artifact) ?? buildOne(artifact);
    builds.set(artifact, started);
    return started;
  };
  const buildOne = async ({ title, folder, script, needs = [] }: Artifact) => {
    await Promise.all(needs.map(build));
    const path = folder();
    if (existsSync(path)) return;
    await runStage(title, () => runBuild({ title, project, script, args: [path], isBackground }));
    evictOlderThan(path);
  };
  await Promise.all(artifacts.map(build));
}
