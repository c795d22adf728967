// The arguments of the CDK CLI for a deployment whose app is synthesized before.
import { expect, test } from "vitest";
import { cdkArguments } from "../../../lib/tools/operate/cdk-command.ts";

test("deploy: context and profile decide what is synthesized, and all arguments reach the deployment of that", () => {
  const given = [
    "-c",
    "stage=prod",
    "--context=rollout=all-at-once",
    "--require-approval",
    "never",
    "--profile",
    "ops",
  ];
  const { synth, deploy } = cdkArguments(given);
  expect(synth.slice(3)).toEqual(["-c", "stage=prod", "--context=rollout=all-at-once", "--profile", "ops"]);
  expect(deploy).toEqual(["deploy", "--app", "cdk.out", "--all", "--no-notices", ...given]);
});
