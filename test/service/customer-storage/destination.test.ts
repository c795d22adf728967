// The destination in customer storage, and the external id of its role.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { formats } from "../../../lib/contract/options/formats.ts";
import { objectKey, objectLocation, resolveDestination } from "../../../lib/service/customer-storage/destination.ts";

const url = "https://example.com/";
const place = { url, store: true, storage_path: "shots/home", storage_bucket: "my-bucket" };
const keys = { storage_access_key_id: "id", storage_secret_access_key: "secret" };
const roleArn = "arn:aws:iam::123456789012:role/captures";

const of = (sent: Record<string, unknown>) => resolveDestination(parseCaptureOptions(sent), 3);

test("storage destination: there is none without storage options", () => {
  expect([of({ url }), of({ url, store: false })]).toEqual([undefined, undefined]);
});

test("storage destination: access keys alone mean Amazon S3 in us-east-1", () => {
  expect(of({ ...place, ...keys })).toEqual({
    endpoint: "https://s3.us-east-1.amazonaws.com",
    region: "us-east-1",
    bucket: "my-bucket",
    path: "shots/home",
    access: { accessKeyId: "id", secretAccessKey: "secret" },
    isPublic: false,
    storageClass: undefined,
  });
});

test.each([
  [{ storage_region: "eu-central-1" }, { endpoint: "https://s3.eu-central-1.amazonaws.com", region: "eu-central-1" }],
  [{ storage_region: "cn-north-1" }, { endpoint: "https://s3.cn-north-1.amazonaws.com.cn" }],
  [{ storage_endpoint: "https://Storage.Example.com/" }, { endpoint: "https://storage.example.com" }],
  [{ storage_endpoint: "https://ü.example:9000/s3//" }, { endpoint: "https://xn--tda.example:9000/s3" }],
  [{ storage_acl: "public-read" }, { isPublic: true }],
  [{ storage_acl: "" }, { isPublic: false }],
  [{ storage_class: "Glacier_IR" }, { storageClass: "glacier_ir" }],
])("storage destination: %j is resolved", (sent, expected) => {
  expect(of({ ...place, ...keys, ...sent })).toMatchObject(expected);
});

describe("storage destination: the external id of a role", () => {
  test("is the account id", () => {
    expect(of({ ...place, storage_role_arn: roleArn })?.access).toEqual({ roleArn, externalId: "3" });
  });

  test("cannot be that of another account, regardless of the key that is sent", () => {
    const externalIds = ["a", "3", "4", ":"].map((storage_external_id) => {
      const access = of({ ...place, storage_role_arn: roleArn, storage_external_id })?.access;
      return access && "externalId" in access && access.externalId;
    });
    expect(externalIds).toEqual(["3:a", "3:3", "3:4", "3::"]);
  });
});

test.each(formats)("storage destination: an object of format %s has its extension", (format) => {
  const extensions = { jpeg: "jpg", animated_webp: "webp", markdown: "md", text: "txt", elements: "json" };
  const extension = (extensions as Record<string, string>)[format] ?? format;
  expect(objectKey({ path: "a.b/c" }, format)).toBe(`a.b/c.${extension}`);
});

test("storage destination: the location is the URL of the object, with any characters in its key", () => {
  const destination = { endpoint: "https://s3.example.com/s3", bucket: "my-bucket" };
  expect(objectLocation(destination, "a b/ü?#%/c+d.png")).toBe(
    "https://s3.example.com/s3/my-bucket/a%20b/%C3%BC%3F%23%25/c%2Bd.png",
  );
});
