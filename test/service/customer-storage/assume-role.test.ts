// Assuming a customer's role, and uploading with its credentials.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import type { Destination } from "../../../lib/service/customer-storage/destination.ts";
import { putObject } from "../../../lib/service/customer-storage/put-client.ts";
import { type CustomerStorage, getObject, startCustomerStorage } from "../../support/customer-storage.ts";

/** A role of its own for each test: what was found out about a role is kept for a while. */
let roles = 0;
let roleArn = "";

/** A minimal STS server. */
const requested: URLSearchParams[] = [];
/** Its answers to a request with the external ID and to one without it. */
let answer = { status: 200, body: "" };
let answerWithoutId = { status: 403, body: "" };
const sts = createServer(async (request, response) => {
  const parameters = new URLSearchParams(await text(request));
  requested.push(parameters);
  const { status, body } = parameters.has("ExternalId") ? answer : answerWithoutId;
  response.writeHead(status, { "content-type": "text/xml" }).end(body);
});

const namespace = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"';
const given = {
  status: 200,
  body:
    `<AssumeRoleResponse ${namespace}><AssumeRoleResult><Credentials><AccessKeyId>ASIAGIVEN</AccessKeyId>` +
    "<SecretAccessKey>given</SecretAccessKey><SessionToken>the-token</SessionToken>" +
    "<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>",
};
const refused = (code: string) => ({
  status: 403,
  body: `<ErrorResponse ${namespace}><Error><Code>${code}</Code><Message>User s3cr3t</Message></Error></ErrorResponse>`,
});

let storage: CustomerStorage;
beforeAll(async () => {
  await once(sts.listen(0, "127.0.0.1"), "listening");
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${(sts.address() as AddressInfo).port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "of-the-service",
    AWS_SECRET_ACCESS_KEY: "of-the-service",
  });
  storage = await startCustomerStorage();
});
afterAll(async () => {
  await storage.close();
  sts.close();
  sts.closeAllConnections();
});
beforeEach(() => {
  requested.length = 0;
  storage.forget();
  answer = given;
  answerWithoutId = refused("AccessDenied");
  roleArn = `arn:aws-cn:iam::123456789012:role/captures-${roles++}`;
});

function put(path = "shots/home") {
  const destination: Destination = {
    endpoint: storage.origin,
    region: "us-east-1",
    bucket: "my-bucket",
    path,
    access: { roleArn, externalId: "3:website" },
    isPublic: false,
    storageClass: undefined,
  };
  const picture = {
    body: Buffer.from("a picture"),
    format: "png",
    mimeType: "image/png",
    disposition: "inline",
  } as const;
  return putObject(destination, picture, { allowed: parseAllowedOrigins(storage.hostPort), timeoutMs: 10_000 });
}

test("assume role: the object is uploaded with the role's credentials", async () => {
  await put();
  expect((await getObject(storage.origin, "shots/home.png")).body.toString()).toBe("a picture");
  const { headers } = storage.requests.find(({ method }) => method === "PUT") ?? {};
  expect(headers?.["x-amz-security-token"]).toBe("the-token");
  expect(headers?.authorization).toContain("Credential=ASIAGIVEN/");
});

test("assume role: requests the role with the external id and a session policy for this object only", async () => {
  await put("a*b/$c");
  expect(Object.fromEntries(requested[1] ?? [])).toMatchObject({
    Action: "AssumeRole",
    RoleArn: roleArn,
    ExternalId: "3:website",
    DurationSeconds: "900",
  });
  const { Statement } = JSON.parse(requested[1]?.get("Policy") ?? "");
  expect(Statement).toEqual([
    {
      Effect: "Allow",
      Action: ["s3:PutObject", "s3:PutObjectAcl"],
      Resource: `arn:aws-cn:s3:::my-bucket/a$${"{*}"}b/$${"{$}"}c.png`,
    },
    { Effect: "Allow", Action: ["kms:GenerateDataKey", "kms:Decrypt"], Resource: "*" },
  ]);
});

test("assume role: is tried without the external id first, for a session that can do nothing", async () => {
  await put();
  expect(Object.fromEntries(requested[0] ?? [])).toMatchObject({ Action: "AssumeRole", RoleArn: roleArn });
  expect(requested.map((parameters) => parameters.get("ExternalId"))).toEqual([null, "3:website"]);
  expect(JSON.parse(requested[0]?.get("Policy") ?? "").Statement).toEqual([
    { Effect: "Deny", Action: "*", Resource: "*" },
  ]);
});

test("assume role: a role whose trust policy does not require the external id is refused until it does", async () => {
  answerWithoutId = given;
  const error = await put().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 422,
    code: "STORAGE_FAILED",
    message:
      "The capture could not be uploaded to the bucket: the trust policy of the `storage_role_arn` doesn't require an " +
      "external ID, so every account of this service that knows the role could write with it. Add the condition " +
      `{"StringEquals": {"sts:ExternalId": "3:website"}} to the trust policy, and try again. Nothing was billed.`,
  });
  expect(requested).toHaveLength(1);
  expect(storage.requests.filter(({ method }) => method === "PUT")).toEqual([]);

  answerWithoutId = refused("AccessDenied");
  await put();
  expect(requested).toHaveLength(3);
});

test("assume role: a role that requires the external id is not tried without it again", async () => {
  await put();
  await put();
  expect(requested.map((parameters) => parameters.get("ExternalId"))).toEqual([null, "3:website", "3:website"]);
});

test("assume role: a role that denies everything is tried without the external id again, once it trusts the service", async () => {
  answer = refused("AccessDenied");
  await expect(put()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  [answer, answerWithoutId] = [given, given];
  await expect(put()).rejects.toThrow("doesn't require an external ID");
});

test.each(["ValidationError", "RegionDisabledException"])(
  "assume role: %s without the external id is the customer's error, too",
  async (code) => {
    answerWithoutId = refused(code);
    await expect(put()).rejects.toMatchObject({ code: "STORAGE_FAILED", message: expect.stringContaining(code) });
  },
);

test("assume role: a role that does not trust the service is the customer's error", async () => {
  answer = refused("AccessDenied");
  const error = await put().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: "STORAGE_FAILED",
    message:
      "The capture could not be uploaded to the bucket: the `storage_role_arn` could not be assumed: AccessDenied. " +
      "Nothing was billed.",
    cause: undefined,
  });
});

test.each(["InvalidClientTokenId", "ExpiredToken"])(
  "assume role: %s is an error of our own credentials",
  async (code) => {
    answerWithoutId = refused(code);
    await expect(put()).rejects.not.toBeInstanceOf(ApiError);
  },
);
