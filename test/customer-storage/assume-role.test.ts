// Assuming a customer's role, and uploading with its credentials.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Destination } from "../../lib/customer-storage/destination.ts";
import { putObject } from "../../lib/customer-storage/put-client.ts";
import { parseAllowedOrigins } from "../../lib/egress/egress-policy.ts";
import { ApiError } from "../../lib/errors/api-error.ts";
import { type CustomerStorage, getObject, startCustomerStorage } from "../support/customer-storage.ts";

const roleArn = "arn:aws-cn:iam::123456789012:role/captures";

/** A minimal STS server. */
const asked: URLSearchParams[] = [];
let answer = { status: 200, body: "" };
const sts = createServer(async (request, response) => {
  asked.push(new URLSearchParams(await text(request)));
  response.writeHead(answer.status, { "content-type": "text/xml" }).end(answer.body);
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
  asked.length = 0;
  answer = given;
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
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
    Action: "AssumeRole",
    RoleArn: roleArn,
    ExternalId: "3:website",
    DurationSeconds: "900",
  });
  const { Statement } = JSON.parse(asked[0]?.get("Policy") ?? "");
  expect(Statement).toEqual([
    {
      Effect: "Allow",
      Action: ["s3:PutObject", "s3:PutObjectAcl"],
      Resource: `arn:aws-cn:s3:::my-bucket/a$${"{*}"}b/$${"{$}"}c.png`,
    },
    { Effect: "Allow", Action: ["kms:GenerateDataKey", "kms:Decrypt"], Resource: "*" },
  ]);
});

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
    answer = refused(code);
    await expect(put()).rejects.not.toBeInstanceOf(ApiError);
  },
);
