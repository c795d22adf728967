// Builders for the tests of the local service: small cloud assemblies with functions in JavaScript.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, type TestContext, vi } from "vitest";
import { type Service, type ServiceOptions, startService } from "../../../lib/tools/local/service.ts";

// Process starts are slow on a machine that runs other tests.
vi.setConfig({ testTimeout: 30_000 });

export interface TestFunction {
  /** Source of `index.mjs`, which exports `handler`; undefined for a function that is not bundled yet. */
  readonly source: string | undefined;
  /** Such as `GET /items/{id}`; `ANY /` for everything at the root. */
  readonly routes?: readonly string[];
  readonly streams?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Statements of its role. @default everything is allowed */
  readonly statements?: readonly object[];
}

export interface TestAssembly {
  readonly functions?: Readonly<Record<string, TestFunction>>;
  readonly resources?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** Writes an assembly of one stack, `Test`, with a REST API `Api`. Resolves to its folder. */
export async function writeAssembly(folder: string, { functions = {}, ...template }: TestAssembly): Promise<string> {
  await mkdir(folder, { recursive: true });
  const resources: Record<string, unknown> = {
    Api: { Type: "AWS::ApiGateway::RestApi", Properties: { Name: "test" } },
  };
  const files: Record<string, unknown> = {};
  for (const [id, { source, routes = [], streams = false, properties, statements }] of Object.entries(functions)) {
    const asset = `asset.${createHash("sha256")
      .update(source ?? "")
      .digest("hex")}`;
    await mkdir(join(folder, asset), { recursive: true });
    if (source !== undefined) await writeFile(join(folder, asset, "index.mjs"), source);
    files[asset] = { source: { path: asset }, destinations: { here: { objectKey: `${asset}.zip` } } };
    resources[id] = {
      Type: "AWS::Lambda::Function",
      Properties: {
        Code: { S3Key: `${asset}.zip` },
        Handler: "index.handler",
        Timeout: 10,
        Role: { "Fn::GetAtt": [`${id}Role`, "Arn"] },
        ...properties,
      },
    };
    resources[`${id}Role`] = role(statements ?? [{ Effect: "Allow", Action: "*", Resource: "*" }]);
    for (const route of routes) addRoute(resources, route, id, streams);
  }
  const json = { Resources: { ...resources, ...template.resources }, Outputs: template.outputs ?? {} };
  await writeFile(join(folder, "Test.template.json"), JSON.stringify(json));
  await writeFile(join(folder, "Test.assets.json"), JSON.stringify({ files }));
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}

const manifest = {
  artifacts: {
    "Test.assets": { type: "cdk:asset-manifest", properties: { file: "Test.assets.json" } },
    Test: {
      type: "aws:cloudformation:stack",
      dependencies: ["Test.assets"],
      properties: { templateFile: "Test.template.json", stackName: "Test" },
    },
  },
};

function role(statements: readonly object[]): object {
  const PolicyDocument = { Version: "2012-10-17", Statement: statements };
  return { Type: "AWS::IAM::Role", Properties: { Policies: [{ PolicyName: "Only", PolicyDocument }] } };
}

/** The address of a package of this project, for the `import` of a function, whose folder has none. */
export function packageUrl(name: string): string {
  return import.meta.resolve(name);
}

function addRoute(resources: Record<string, unknown>, route: string, functionId: string, streams: boolean): void {
  const [httpMethod = "", path = ""] = route.split(" ");
  let parent: unknown = { "Fn::GetAtt": ["Api", "RootResourceId"] };
  let id = "Path";
  for (const part of path.split("/").filter(Boolean)) {
    id += part.replace(/\W/g, (character) => (character === "+" ? "Greedy" : "0"));
    resources[id] ??= {
      Type: "AWS::ApiGateway::Resource",
      Properties: { ParentId: parent, PathPart: part, RestApiId: { Ref: "Api" } },
    };
    parent = { Ref: id };
  }
  const [date, action] = streams ? ["2021-11-15", "response-streaming-invocations"] : ["2015-03-31", "invocations"];
  resources[`${id}${httpMethod}`] = {
    Type: "AWS::ApiGateway::Method",
    Properties: {
      HttpMethod: httpMethod,
      ResourceId: parent,
      RestApiId: { Ref: "Api" },
      Integration: {
        Type: "AWS_PROXY",
        IntegrationHttpMethod: "POST",
        Uri: {
          "Fn::Join": [
            "",
            [
              "arn:",
              { Ref: "AWS::Partition" },
              ":apigateway:",
              { Ref: "AWS::Region" },
              `:lambda:path/${date}/functions/`,
              { "Fn::GetAtt": [functionId, "Arn"] },
              `/${action}`,
            ],
          ],
        },
        ...(streams && { ResponseTransferMode: "STREAM" }),
      },
    },
  };
}

/** What a test does when it is over. A concurrent test hands over its own context. */
type Cleanup = Pick<TestContext, "onTestFinished">;

/** Starts a service of the assembly with a new data folder. It is closed after the test. */
export async function serve(
  assembly: TestAssembly,
  options: Partial<ServiceOptions> = {},
  cleanup: Cleanup = { onTestFinished },
): Promise<Service> {
  const folder = await temporaryFolder(cleanup);
  const service = await startService({
    assembly: await writeAssembly(join(folder, "cdk.out"), assembly),
    dataDir: join(folder, "data"),
    ...options,
  });
  cleanup.onTestFinished(() => service.close());
  return service;
}

/** False for a process that has exited, including a zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Creates a folder that is removed after the test. */
export async function temporaryFolder(cleanup: Cleanup = { onTestFinished }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "local-"));
  cleanup.onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Polls `look`, and resolves to its first value that is neither undefined nor false. */
export async function eventually<T>(look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const until = Date.now() + 15_000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > until) throw new Error(`It did not happen: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
