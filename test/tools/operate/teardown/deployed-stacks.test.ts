// Emptying the bucket of a stage before its deletion.
import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { s3 } from "../../../../lib/service/aws/clients/s3.ts";
import { emptyBucket } from "../../../../lib/tools/operate/teardown/deployed-stacks.ts";
import { startTestResources, type TestResources } from "../../../support/test-resources.ts";

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
});
afterAll(() => running.close());

test("teardown: deletes every object of the bucket, and counts them", async () => {
  const Bucket = running.env.RESULTS_BUCKET;
  for (const Key of ["1-day/a", "7-days/b", "30-days/c"]) {
    await s3().send(new PutObjectCommand({ Bucket, Key, Body: "x" }));
  }
  expect(await emptyBucket(Bucket)).toBe(3);
  expect((await s3().send(new ListObjectsV2Command({ Bucket }))).KeyCount ?? 0).toBe(0);
  expect(await emptyBucket(Bucket)).toBe(0);
});
