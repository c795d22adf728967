// The doctor's judgement of a machine, of an AWS account, and of a stage, and its table.
import { createServer } from "node:http";
import { expect, test, vi } from "vitest";
import { listen, stopListening } from "../../../../lib/tools/local/loopback.ts";
import {
  judgeAlarms,
  judgeBootstrap,
  judgeConcurrency,
  judgeMemory,
  judgeOperatorSecret,
  judgeRegion,
  judgeSecrets,
  judgeStack,
  judgeTable,
  judgeTenantEnvironments,
} from "../../../../lib/tools/operate/doctor/aws-facts.ts";
import { type DoctorCheck, failed, ok, warning } from "../../../../lib/tools/operate/doctor/finding.ts";
import { judgeIdentity, settingsIn, settingsOf } from "../../../../lib/tools/operate/doctor/identity-facts.ts";
import { type Machine, machineChecks, thisMachine } from "../../../../lib/tools/operate/doctor/machine-checks.ts";
import { runDoctor } from "../../../../lib/tools/operate/doctor/run-doctor.ts";

/** Runs checks; resolves to the lines and the number of failures. */
async function run(checks: readonly DoctorCheck[]) {
  const lines: string[] = [];
  return { failures: await runDoctor(checks, (line) => lines.push(line)), lines };
}

test("doctor: prints a line for each check, what to do below it, and the number of failed ones", async () => {
  const { failures, lines } = await run([
    { name: "first", run: () => ok("fine") },
    { name: "second", run: () => warning("old", "Renew it.") },
    { name: "third", run: async () => failed("broken", "Fix it.") },
    {
      name: "fourth",
      run: () => {
        throw new Error("no answer\nwith a trace");
      },
    },
  ]);
  expect(lines).toEqual([
    "ok     first: fine",
    "WARN   second: old",
    "       Renew it.",
    "FAILED third: broken",
    "       Fix it.",
    "FAILED fourth: no answer",
    "2 of 4 checks failed.",
  ]);
  expect(failures).toBe(2);
});

test("doctor: after a failed check that the others need, none is run", async () => {
  const { lines } = await run([
    { name: "credentials", isRequired: true, run: () => failed("none", "Sign in.") },
    { name: "stack", run: () => ok("never run") },
  ]);
  expect(lines.slice(2)).toEqual(["The other checks need this one.", "1 of 1 checks failed."]);
});

test("doctor: a warning is no failure", async () => {
  const { failures, lines } = await run([{ name: "age", run: () => warning("old", "Renew it.") }]);
  expect([failures, lines.at(-1)]).toEqual([0, "Nothing is wrong."]);
});

const good: Machine = { platform: "linux", arch: "x64", nodeVersion: "24.1.0", freeMb: 9_000, memoryMb: 8_000 };

test.each([
  ["operating system", { arch: "arm64" }, "FAILED"],
  ["operating system", { platform: "darwin" }, "FAILED"],
  ["Node.js", { nodeVersion: "20.20.2" }, "FAILED"],
  ["free disk", { freeMb: 800 }, "FAILED"],
  ["memory", { memoryMb: 1_000 }, "WARN  "],
] as const)("doctor: says what is wrong with the %s of %j", async (name, part, mark) => {
  const { lines } = await run(machineChecks({ ...good, ...part }));
  expect(lines.filter((line) => !line.startsWith("ok"))[0]).toMatch(new RegExp(`^${mark} ${name}: `));
});

test("doctor: a good machine, and this one, pass", async () => {
  expect((await run(machineChecks(good))).failures).toBe(0);
  expect(thisMachine("not/there/yet")).toMatchObject({ platform: "linux", arch: "x64" });
});

const kept = { timeToLive: "ttl", isRestorable: true, isDeletionProtected: true };
const disposable = { timeToLive: "ttl", isRestorable: false, isDeletionProtected: false };
const restored = { timeToLive: undefined, isRestorable: false, isDeletionProtected: false };
const prodConcurrency = { needed: 230, reserved: 40, expectedQuota: 1000 };
const CANARY = "screen-capture-prod-canary";
const ERRORS = "screen-capture-prod-server-errors";
const open = (status: string) => ({ status, isProtected: false });
const shut = (status: string) => ({ status, isProtected: true });

test.each([
  ["region: none", judgeRegion(undefined), "failed"],
  ["region: another partition", judgeRegion("cn-north-1"), "failed"],
  ["region", judgeRegion("eu-central-1", true), "ok"],
  ["region: GovCloud, which has no tenant isolation", judgeRegion("us-gov-west-1", true), "failed"],
  ["region: GovCloud, for a stage without tenant isolation", judgeRegion("us-gov-west-1", false), "ok"],
  ["bootstrap: none", judgeBootstrap(undefined), "failed"],
  ["bootstrap: old", judgeBootstrap("5"), "failed"],
  ["bootstrap", judgeBootstrap("28"), "ok"],
  ["concurrency of a new account", judgeConcurrency({ needed: 190, reserved: 0, quota: 10 }), "warning"],
  [
    "concurrency that callers of the renderer would take from it",
    judgeConcurrency({ needed: 350, reserved: 40, isRendererSeparate: true, quota: 200 }),
    "failed",
  ],
  ["table: as the stage has it", judgeTable("t", kept, kept), "ok"],
  ["table: protected by hand, more than the stage", judgeTable("t", kept, disposable), "ok"],
  ["table: restored, of a stage that keeps nothing", judgeTable("t", restored, disposable), "failed"],
  ["table: restored", judgeTable("t", restored, kept), "failed"],
  ["tenant environments", judgeTenantEnvironments(1000), "ok"],
  ["concurrency, too much of it reserved", judgeConcurrency({ needed: 130, reserved: 40, quota: 139 }), "failed"],
  ["concurrency, as much reserved as can be", judgeConcurrency({ needed: 130, reserved: 40, quota: 140 }), "ok"],
  ["concurrency of another account", judgeConcurrency({ ...prodConcurrency, quota: 2000 }), "warning"],
  ["concurrency", judgeConcurrency({ ...prodConcurrency, quota: 1000 }), "ok"],
  ["memory of a new account", judgeMemory(10_240), "warning"],
  ["memory", judgeMemory(3008), "ok"],
  ["stack: none", judgeStack("x-service", undefined, "prod"), "warning"],
  ["stack: rolled back", judgeStack("x-service", open("UPDATE_ROLLBACK_COMPLETE"), "prod"), "warning"],
  ["stack: busy", judgeStack("x-service", open("UPDATE_IN_PROGRESS"), "prod"), "warning"],
  ["stack: never created", judgeStack("x-service", open("REVIEW_IN_PROGRESS"), "prod"), "warning"],
  ["stack: not created", judgeStack("x-service", open("ROLLBACK_COMPLETE"), "prod"), "warning"],
  ["stack: not created, and its rest not deleted", judgeStack("x-service", open("ROLLBACK_FAILED"), "prod"), "warning"],
  ["stack: not created, and protected", judgeStack("x-data", shut("ROLLBACK_COMPLETE"), "prod"), "failed"],
  ["stack: not rolled back", judgeStack("x-service", open("UPDATE_ROLLBACK_FAILED"), "prod"), "failed"],
  ["stack: not deleted", judgeStack("x-service", open("DELETE_FAILED"), "prod"), "failed"],
  ["stack", judgeStack("x-service", open("UPDATE_COMPLETE"), "prod"), "ok"],
  ["stack, protected", judgeStack("x-data", shut("CREATE_COMPLETE"), "prod"), "ok"],
  ["secrets: encrypted", judgeSecrets(true, "prod"), "ok"],
  ["secrets: as plain text", judgeSecrets(false, "prod"), "warning"],
  ["secrets: a stage that isn't deployed", judgeSecrets(undefined, "prod"), "warning"],
  ["operator's secret: there is one", judgeOperatorSecret({ created_at: "2026-01-31T12:00:00.000Z" }, "prod"), "ok"],
  ["operator's secret: there is none", judgeOperatorSecret(undefined, "prod"), "failed"],
  ["alarms: one fires", judgeAlarms({ firing: [CANARY], count: 11, ageMinutes: 21 }), "failed"],
  ["alarms: the canary of a new stage", judgeAlarms({ firing: [CANARY], count: 11, ageMinutes: 8 }), "warning"],
  ["alarms: another of a new stage", judgeAlarms({ firing: [CANARY, ERRORS], count: 11, ageMinutes: 8 }), "failed"],
  ["alarms: none exist", judgeAlarms({ firing: [], count: 0, ageMinutes: 8 }), "warning"],
  ["alarms", judgeAlarms({ firing: [], count: 11, ageMinutes: 8 }), "ok"],
])("doctor: %s", (_, { status, fix }, expected) => {
  expect(status).toBe(expected);
  expect(fix === undefined).toBe(expected === "ok"); // each problem comes with what to do
});

test("doctor: names what a restored table lacks, and the commands that set it", () => {
  const { detail, fix } = judgeTable("Accounts-1", restored, kept);
  expect(detail).toBe(
    "Accounts-1 has no expiry of its items, and no point-in-time recovery, and no deletion protection, unlike the stage",
  );
  expect(fix?.match(/aws dynamodb [a-z-]+ --table-name Accounts-1/g)).toEqual([
    "aws dynamodb update-time-to-live --table-name Accounts-1",
    "aws dynamodb update-continuous-backups --table-name Accounts-1",
    "aws dynamodb update-table --table-name Accounts-1",
  ]);
});

test("doctor: states how many execution environments tenants can have: 2.5 for each execution of the quota", () => {
  expect(judgeTenantEnvironments(140).detail).toMatch(/^at most 350 execution environments/);
});

test("doctor: reads the protection of a table, and says of one without any what it lacks", async () => {
  const answers: Readonly<Record<string, object>> = {
    DescribeTable: { Table: { TableName: "t", DeletionProtectionEnabled: true } },
    DescribeTimeToLive: { TimeToLiveDescription: { TimeToLiveStatus: "ENABLED", AttributeName: "ttl" } },
    DescribeContinuousBackups: {
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: "ENABLED",
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "ENABLED" },
      },
    },
  };
  const server = createServer((request, response) => {
    const operation = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
    request.resume().once("end", () => {
      response.setHeader("Content-Type", "application/x-amz-json-1.0").end(JSON.stringify(answers[operation]));
    });
  });
  const variables = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://${await listen(server)}`);
  vi.resetModules();
  const { tableChecks } = await import("../../../../lib/tools/operate/doctor/stage-checks.ts");
  const check = () => run(tableChecks({ accounts: "t" }, { protectsData: true }));
  expect((await check()).lines[0]).toMatch(/^ok {5}protection of accounts: /);
  Object.assign(answers["DescribeTimeToLive"] ?? {}, { TimeToLiveDescription: { TimeToLiveStatus: "DISABLED" } });
  expect((await check()).lines[0]).toBe(
    "FAILED protection of accounts: t has no expiry of its items, unlike the stage",
  );
  await stopListening(server);
});

test("doctor: names the command that raises the quota of concurrent executions", () => {
  expect(judgeConcurrency({ needed: 1_500, reserved: 0, quota: 10 }).fix).toContain(
    "aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1500",
  );
});

test("doctor: names the command that lets the next deployment replace a protected stack whose creation failed", () => {
  const command =
    "aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name x-data";
  expect(judgeStack("x-data", shut("ROLLBACK_COMPLETE"), "prod").fix).toContain(command);
});

test("doctor: says before a deployment that Lambda would refuse its reservations, and how to deploy without them", () => {
  const { detail, fix } = judgeConcurrency({ needed: 230, reserved: 40, quota: 10 });
  expect(detail).toContain("reserves 40 of the account's 10 concurrent executions");
  expect(fix).toContain("remove reservedConcurrency");
});

test("doctor: says in one finding which addresses customers of a public stage don't find", () => {
  const judge = (identity: object, isPublic = true) =>
    judgeIdentity({ isPublic, shown: settingsOf(identity), stage: "prod" });
  expect(judge({ terms: "https://example.com/terms", privacy: "https://example.com/privacy" })).toEqual(
    warning(
      "the service is public, and its pages name no support, no source code",
      "Set support, source in identity of the stage prod in lib/infra/stages.ts, and deploy. docs/terms-template.md and " +
        "docs/privacy-template.md are drafts.",
    ),
  );
  expect(judge({ support: "", terms: "", privacy: "", source: "" }).status).toBe("ok"); // an imprint isn't needed everywhere
  expect(judge({}, false).status).toBe("ok");
});

test("doctor: reads from a service of this machine what its pages name", () => {
  const shown = settingsIn(
    "# Screen Capture API\n\n- Support: a@example.com\n- Source code: https://example.com/\n\n## Start",
  );
  expect([...shown]).toEqual(["support", "source"]);
  expect(judgeIdentity({ isPublic: true, shown, stage: undefined })).toMatchObject({
    status: "warning",
    fix: expect.stringMatching(/^Set TERMS_URL, PRIVACY_URL, and start the service again\./),
  });
});
