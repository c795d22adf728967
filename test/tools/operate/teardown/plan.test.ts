// What `npm run teardown` says that it deletes and keeps, from the templates of the stages.
import { expect, test } from "vitest";
import type { StageName } from "../../../../lib/infra/stages.ts";
import { type DeployedStack, planTeardown } from "../../../../lib/tools/operate/teardown/plan.ts";
import { templatesOf } from "../../../infra/synthesized.ts";

/** The stacks of a stage as they are deployed, with physical ids for the bucket alone. */
function deployed(stage: StageName, isProtected: boolean): DeployedStack[] {
  const { data, service } = templatesOf(stage);
  return [service, data].map((template, index) => {
    const resources = template.toJSON() as DeployedStack["template"];
    const bucket = Object.entries(resources.Resources ?? {}).find(([, { Type }]) => Type === "AWS::S3::Bucket");
    return {
      name: `screen-capture-${stage}-${index === 0 ? "service" : "data"}`,
      template: resources,
      physicalIds: bucket ? { [bucket[0]]: "results-4711" } : {},
      isProtected,
    };
  });
}

test("teardown: of a disposable stage all is deleted, and tables, bucket, queues and logs are named", () => {
  const { lines, buckets, protectedStacks } = planTeardown(deployed("dev", false));
  expect(lines.filter((line) => line.includes("keeps"))).toEqual([]);
  expect(lines.filter((line) => /deletes with its content: DynamoDB::GlobalTable /.test(line))).toHaveLength(3);
  expect(lines.filter((line) => /deletes with its content: SQS::Queue /.test(line))).toHaveLength(9);
  expect(lines.find((line) => /^ {2}deletes: .*Lambda::Function × \d+/.test(line))).toBeDefined();
  expect([buckets, protectedStacks]).toEqual([["results-4711"], []]);
});

test("teardown: of production the data and the logs are kept, and named", () => {
  const { lines, buckets, protectedStacks } = planTeardown(deployed("prod", true));
  expect(lines.filter((line) => line.includes("deletes with its content"))).toEqual([]);
  expect(lines).toContain("  keeps: S3::Bucket results-4711");
  expect(lines.filter((line) => /keeps: (DynamoDB::GlobalTable|Logs::LogGroup) /.test(line)).length).toBeGreaterThan(
    14,
  );
  expect([buckets, protectedStacks]).toEqual([[], ["screen-capture-prod-service", "screen-capture-prod-data"]]);
});
