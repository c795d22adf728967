// The pre-traffic hook: what it invokes new versions with, against the functions that run here, and what it reports.
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { reportNewVersion } from "../../lib/service/health/pre-traffic-hook.ts";
import { versionChecks } from "../../lib/service/health/version-checks.ts";
import { type CodeDeployApi, startCodeDeployApi } from "../support/codedeploy-api.ts";

const { lambda, functionNames, accountsTable, activityTable, dynamodb } = inject("service");
const env = { ACCOUNTS_TABLE: accountsTable, ACTIVITY_TABLE: activityTable };
const groups = Object.keys(versionChecks);
const versions = Object.fromEntries(groups.map((group) => [group, versionOf(group)]));

let codedeploy: CodeDeployApi;
beforeAll(async () => {
  codedeploy = await startCodeDeployApi({
    ...Object.fromEntries(groups.map((group) => [`d-${group}`, group])),
    "d-New": "New",
  });
  vi.stubEnv("AWS_ENDPOINT_URL_LAMBDA", lambda);
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb);
  vi.stubEnv("TENANT_ISOLATION", "on"); // as the local stage has it
  vi.stubEnv("AWS_ENDPOINT_URL_CODEDEPLOY", codedeploy.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
});
afterAll(() => codedeploy.close());

/** What the hook reports of a deployment. */
async function report(group: string, newVersions: Readonly<Record<string, string>>): Promise<string | undefined> {
  const id = crypto.randomUUID();
  await reportNewVersion({ DeploymentId: `d-${group}`, LifecycleEventHookExecutionId: id }, newVersions, env);
  return codedeploy.reported.get(id);
}

test.each(groups)("pre-traffic hook: a version of %s that works gets traffic", async (group) => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect([await report(group, versions), logged.mock.calls]).toEqual(["Succeeded", []]);
});

test.each([
  ["that responds otherwise", "Screenshot", { Screenshot: versionOf("Web") }, /responds with \d+ instead of 401/],
  ["that fails", "Screenshot", { Screenshot: versionOf("Webhook") }, /fails: /],
  ["of an unknown group", "New", versions, /The deployment group "New" has no version to check/],
  ["that the hook doesn't know", "Render", {}, /The deployment group "Render" has no version to check/],
])("pre-traffic hook: a version %s gets no traffic, and the log says why", async (_, group, newVersions, reason) => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(await report(group, newVersions)).toBe("Failed");
  expect(logged.mock.lastCall?.[0]).toMatchObject({ error: { message: expect.stringMatching(reason) } });
});

function versionOf(name: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${functionNames[name]}:7`;
}
