// Synthesized templates of the stages, for the tests of the infrastructure.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { afterAll } from "vitest";
import cdkJson from "../../cdk.json" with { type: "json" };
import { addStage, type StageStacks } from "../../lib/infra/stage.ts";
import { type StageConfig, type StageName, stageConfig } from "../../lib/infra/stages.ts";
import { IS_SLOW_RUN } from "../support/slow-run.ts";

const assemblies = mkdtempSync(join(tmpdir(), "assemblies-"));
afterAll(() => rmSync(assemblies, { recursive: true }));

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a template holds is what the tests look into
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: string | readonly string[];
}

/**
 * An app with one stage, and the feature flags of cdk.json. It neither bundles functions nor copies layers. The engine of
 * CloudFormation's own rules takes seconds to start: it runs where `isValidated` says so, and always in the slow run.
 */
export function appWith(
  stage: StageName | StageConfig,
  { isValidated = IS_SLOW_RUN }: { readonly isValidated?: boolean } = {},
): { app: App } & StageStacks {
  const app = new App({
    builtinCloudFormationValidation: isValidated,
    outdir: mkdtempSync(join(assemblies, "app-")),
    context: { ...cdkJson.context, "aws:cdk:bundling-stacks": [], "aws:cdk:disable-asset-staging": true },
  });
  return { app, ...addStage(app, typeof stage === "string" ? stageConfig(stage) : stage) };
}

/** Files share templates within a run, through its temporary folder. While vitest watches, the sources change within a run. */
const SHARES_TEMPLATES = process.env["VITEST_MODE"] === "RUN";

/** The templates of a stage. The first test that asks for them synthesizes them. */
export function templatesOf(stage: StageName | StageConfig): { data: Template; service: Template } {
  const config = JSON.stringify(typeof stage === "string" ? stageConfig(stage) : stage);
  const file = join(tmpdir(), `templates-${createHash("sha256").update(config).digest("hex")}.json`);
  if (SHARES_TEMPLATES && existsSync(file)) {
    const { data, service } = JSON.parse(readFileSync(file, "utf8"));
    return { data: Template.fromJSON(data), service: Template.fromJSON(service) };
  }
  const stacks = appWith(stage); // both are created first, because `Template.fromStack` synthesizes the app
  const templates = { data: Template.fromStack(stacks.data), service: Template.fromStack(stacks.service) };
  const [data, service] = [templates.data.toJSON(), templates.service.toJSON()];
  const unfinished = join(assemblies, "templates.json"); // other files must not see half of it
  writeFileSync(unfinished, JSON.stringify({ data, service }));
  renameSync(unfinished, file);
  return templates;
}

/** The resources of a type, with their logical ids. */
export function resources(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.findResources(type)) as [string, Resource][];
}

/** The only resource of a type. */
export function only(template: Template, type: string): Resource["Properties"] {
  const [[, resource] = [], ...others] = resources(template, type);
  if (!resource || others.length > 0) throw new Error(`There is not exactly one ${type}`);
  return resource.Properties;
}

/** Functions of the service stack by file name. The construct id is the file name in Pascal case. */
export function functionsOf(service: Template): Map<string, Resource & { readonly id: string }> {
  return new Map(
    resources(service, "AWS::Lambda::Function").map(([id, resource]) => [fileOf(id), { ...resource, id }]),
  );
}

/** `DeadLettersD4250DAA` -> `dead-letters`, `ApiFunctionD4250DAA` -> `api` */
export function fileOf(logicalId: string): string {
  const name = logicalId
    .slice(0, -8)
    .replace(/Function$/, "")
    .replace("Brake", "BudgetGuard"); // deployed stacks have the former id
  return name.replaceAll(/(?!^)[A-Z]/g, "-$&").toLowerCase();
}

/** A readable form of a value: references and imports become names in angle brackets. */
export function readable(value: unknown): string {
  if (typeof value === "string") return value;
  const [[intrinsic, argument]] = Object.entries(value as object) as [[string, unknown]];
  if (intrinsic === "Ref") return `<${argument}>`;
  if (intrinsic === "Fn::GetAtt") return `<${(argument as string[]).join(".")}>`;
  if (intrinsic === "Fn::ImportValue")
    return `<${/Accounts|Usage|Activity|Results|Queues(Render(DeadLetters)?|FailedRenders|Webhook(DeadLetters|Schedules(Group|Role))?|AccountData(DeadLetters)?|QuotaAlerts)(?=[A-F0-9]{8})/.exec(String(argument))?.[0]}>`;
  if (intrinsic === "Fn::Join") {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map(readable).join(separator);
  }
  throw new Error(`No test reads ${intrinsic} yet`);
}
