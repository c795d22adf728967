// The configuration of the stages.
import { RemovalPolicy } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { stageConfig, stageNames } from "../../lib/infra/stages.ts";

test("stages: an unknown stage fails with the names of the known ones", () => {
  expect(() => stageConfig("staging")).toThrow(
    'Unknown stage "staging". Choose one of dev, prod, local, as in: -c stage=dev',
  );
});

test.each(stageNames)("stages: the configuration of %s has its name", (name) => {
  expect(stageConfig(name).name).toBe(name);
});

test.each(stageNames)("stages: captures of %s reach public addresses only", (name) => {
  expect(stageConfig(name).allowOrigins).toEqual([]);
});

test.each(stageNames)("stages: %s is agnostic of account and region", (name) => {
  expect(stageConfig(name)).not.toHaveProperty("account");
  expect(stageConfig(name)).not.toHaveProperty("region");
});

test("stages: only production protects and retains its data", () => {
  const keepers = stageNames.filter((name) => stageConfig(name).protectsData);
  const retainers = stageNames.filter(
    (name) => stageConfig(name).removalPolicy === RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  );
  expect({ keepers, retainers }).toEqual({ keepers: ["prod"], retainers: ["prod"] });
});
