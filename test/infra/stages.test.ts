// The settings of the stages.
import { RemovalPolicy } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { stageConfig, stageNames } from "../../lib/infra/stages.ts";

test("refuses an unknown stage and names the known ones", () => {
  expect(() => stageConfig("staging")).toThrow(
    'Unknown stage "staging". Choose one of dev, prod, local, as in: -c stage=dev',
  );
});

test.each(stageNames)("the stage %s knows its own name", (name) => {
  expect(stageConfig(name).name).toBe(name);
});

test.each(stageNames)("the stage %s lets captures reach public addresses only", (name) => {
  expect(stageConfig(name).allowOrigins).toEqual([]);
});

test.each(stageNames)("the stage %s fits any account and region", (name) => {
  expect(stageConfig(name)).not.toHaveProperty("account");
  expect(stageConfig(name)).not.toHaveProperty("region");
});

test("only production keeps its data", () => {
  const keepers = stageNames.filter((name) => stageConfig(name).protectsData);
  const retainers = stageNames.filter((name) => stageConfig(name).removalPolicy === RemovalPolicy.RETAIN);
  expect({ keepers, retainers }).toEqual({ keepers: ["prod"], retainers: ["prod"] });
});
