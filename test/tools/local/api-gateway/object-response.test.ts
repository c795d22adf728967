// Integrations of API Gateway that answer with an object of S3: how a template is read, and how a response of S3 is mapped.
import { expect, onTestFinished, test } from "vitest";
import { readApi } from "../../../../lib/tools/local/api-gateway/api-definition.ts";
import { openApiGateway } from "../../../../lib/tools/local/api-gateway/api-gateway.ts";
import { objectResponse } from "../../../../lib/tools/local/api-gateway/object-response.ts";

const integration = {
  Type: "AWS",
  Uri: "arn:aws:apigateway:us-east-1:s3:path/results/status/index.html",
  IntegrationHttpMethod: "GET",
  Credentials: "arn:aws:iam::000000000000:role/status",
  IntegrationResponses: [
    {
      StatusCode: "200",
      SelectionPattern: "200",
      ResponseParameters: {
        "method.response.header.Content-Type": "integration.response.header.Content-Type",
        "method.response.header.Content-Security-Policy": "integration.response.header.x-amz-meta-policy",
        "method.response.header.X-Content-Type-Options": "'nosniff'",
      },
    },
    {
      StatusCode: "404",
      SelectionPattern: "40[34]",
      ResponseTemplates: { "application/json": '{"id":"$context.requestId"}' },
    },
    { StatusCode: "503" },
  ],
};

function methodWith(changed: object) {
  const resources = [
    {
      type: "AWS::ApiGateway::RestApi",
      logicalId: "Api",
      ref: "api",
      attributes: { RootResourceId: "root" },
      properties: {},
    },
    {
      type: "AWS::ApiGateway::Method",
      logicalId: "Method",
      ref: "method",
      attributes: {},
      properties: { HttpMethod: "GET", ResourceId: "root", Integration: { ...integration, ...changed } },
    },
  ];
  const [method] = readApi(resources as unknown as Parameters<typeof readApi>[0]).methods;
  if (!method || !("object" in method)) throw new Error("The method reads no object.");
  return method;
}

const respond = (answer: Response, changed: object = {}) =>
  objectResponse(methodWith(changed).object, answer, "request-1");

test("object of S3: the key is the template's, and nothing of a request is in it", () => {
  const { object } = methodWith({});
  expect(object).toMatchObject({ bucket: "results", key: "status/index.html", roleArn: integration.Credentials });
  for (const changed of [
    { Uri: "arn:aws:apigateway:us-east-1:s3:path/results/{key}" },
    { RequestParameters: { "integration.request.path.key": "method.request.path.key" } },
    { Credentials: undefined },
  ])
    expect(() => methodWith(changed)).toThrow("The method Method has neither.");
});

test("object of S3: headers are those that the template maps, and no others of S3", async () => {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "x-amz-meta-policy": "default-src 'none'",
    "x-amz-id-2": "secret",
  };
  const { statusCode, headers: sent, body } = await respond(new Response("<p>page", { headers }));
  expect([statusCode, String(body)]).toEqual([200, "<p>page"]);
  expect(sent).toEqual([
    ["Content-Type", "text/html; charset=utf-8"],
    ["Content-Security-Policy", "default-src 'none'"],
    ["X-Content-Type-Options", "nosniff"],
  ]);
});

test("object of S3: errors of S3 get the status and the body of the template", async () => {
  for (const status of [403, 404]) {
    const { statusCode, body } = await respond(new Response("<Error><Key>status/index.html</Key></Error>", { status }));
    expect([statusCode, String(body)]).toEqual([404, '{"id":"request-1"}']);
  }
  expect((await respond(new Response("", { status: 500 }))).statusCode).toBe(503);
  const { body } = await respond(new Response(null, { status: 403 }), { IntegrationHttpMethod: "HEAD" });
  expect(String(body)).toBe("");
});

test("object of S3: is answered while no function is, and S3 is asked for the object of the template, and for no other", async () => {
  const read: unknown[] = [];
  const gateway = await openApiGateway({
    host: "127.0.0.1",
    port: 0,
    invoke: () => Promise.reject(new Error("No function runs.")),
    async readObject(roleArn, { httpMethod, bucket, key }) {
      read.push([roleArn, httpMethod, bucket, key]);
      return new Response("<p>page", { headers: { "Content-Type": "text/html" } });
    },
    onLog: () => undefined,
  });
  onTestFinished(() => gateway.close());
  const page = { ...methodWith({}), path: "/status" };
  const others = { path: "/{proxy+}", resourceId: "all", httpMethod: "ANY", timeoutMs: 1_000 };
  const all = { ...others, functionArn: "arn", isStreamed: true };
  gateway.use({ id: "api", stage: "local", methods: [page, all], gatewayResponses: new Map() });
  const load = (path: string) => fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers: { "x-key": "1-day/x" } });
  expect((await load("/health")).status).toBe(502);
  for (const path of ["/status", "/status?key=1-day/x", "/status/"])
    expect(await (await load(path)).text()).toBe("<p>page");
  expect(read).toEqual(Array(3).fill([integration.Credentials, "GET", "results", "status/index.html"]));
});
