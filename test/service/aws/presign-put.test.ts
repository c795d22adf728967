// Presigned addresses of conditional PUTs, compared with those of AWS's SDK.
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect, test, vi } from "vitest";
import { s3 } from "../../../lib/service/aws/clients/s3.ts";
import { presignPuts } from "../../../lib/service/aws/presign-put.ts";

vi.stubEnv("AWS_REGION", "eu-central-1");
vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
vi.stubEnv("AWS_SESSION_TOKEN", "token/with+characters==");

test("presigned PUT: has the address and the signature that the SDK gives it", async () => {
  const now = new Date("2026-03-04T05:06:07.891Z");
  const [address = ""] = await presignPuts("results-bucket", ["renderings/a_-9/0"], { expiresS: 77, now });
  // The SDK adds two parameters, of which S3 needs none.
  const client = s3();
  client.middlewareStack.add(
    (next) => async (args) => {
      const request = args.request as { query: Record<string, string>; headers: Record<string, string> };
      delete request.query["x-id"];
      return next(args);
    },
    { step: "build", priority: "low" },
  );
  const command = new PutObjectCommand({ Bucket: "results-bucket", Key: "renderings/a_-9/0", IfNoneMatch: "*" });
  const expected = new URL(await getSignedUrl(client, command, { expiresIn: 77, signingDate: now }));
  const actual = new URL(address);
  expect(actual.origin + actual.pathname).toBe(expected.origin + expected.pathname);
  const {
    "X-Amz-Content-Sha256": _,
    "X-Amz-Signature": signature,
    ...parameters
  } = Object.fromEntries(expected.searchParams);
  const { "X-Amz-Signature": own, ...ownParameters } = Object.fromEntries(actual.searchParams);
  expect(ownParameters).toEqual(parameters);
  expect([own, signature].every((each) => /^[0-9a-f]{64}$/.test(String(each)))).toBe(true);
});
