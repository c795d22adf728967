// Route matching: the resource and method of a REST API for a request.
import { expect, test } from "vitest";
import type { ApiMethod } from "../../../../lib/tools/local/api-gateway/api-definition.ts";
import { matchRoute } from "../../../../lib/tools/local/api-gateway/route-match.ts";

const methods = [
  "ANY /",
  "ANY /{proxy+}",
  "GET /items",
  "ANY /items",
  "GET /items/{id}",
  "GET /items/mine",
  "GET /items/{id}/parts/{part}",
  "GET /files/{key+}",
  "POST /only-post",
].map(method);

test.each([
  ["GET /", "ANY /", {}],
  ["GET /items", "GET /items", {}],
  ["GET /items/", "GET /items", {}],
  ["POST /items", "ANY /items", {}],
  ["GET /items/7", "GET /items/{id}", { id: "7" }],
  ["GET /items/a%2Fb", "GET /items/{id}", { id: "a%2Fb" }],
  ["GET /items/mine", "GET /items/mine", {}],
  ["GET /items/7/parts/8", "GET /items/{id}/parts/{part}", { id: "7", part: "8" }],
  ["GET /items/7/parts", "ANY /{proxy+}", { proxy: "items/7/parts" }],
  ["GET /files/a/b/c.png", "GET /files/{key+}", { key: "a/b/c.png" }],
  ["GET /files", "ANY /{proxy+}", { proxy: "files" }],
  ["GET /elsewhere", "ANY /{proxy+}", { proxy: "elsewhere" }],
])("route matching: %s matches %s", (request, route, pathParameters) => {
  const [httpMethod = "", path = ""] = request.split(" ");

  const match = matchRoute(methods, httpMethod, path);

  expect(`${match?.method.httpMethod} ${match?.method.path}`).toBe(route);
  expect(match?.pathParameters).toEqual(pathParameters);
});

test("route matching: a request for which the most specific resource has no method goes to the next one that has", () => {
  expect(matchRoute(methods, "GET", "/only-post")?.method.path).toBe("/{proxy+}");
  expect(matchRoute(methods, "POST", "/only-post")?.method.path).toBe("/only-post");
  expect(matchRoute([method("POST /only-post")], "GET", "/only-post")).toBeUndefined();
});

test("route matching: finds nothing without a match", () => {
  expect(matchRoute([method("GET /items")], "GET", "/other")).toBeUndefined();
});

function method(route: string): ApiMethod {
  const [httpMethod = "", path = ""] = route.split(" ");
  return { path, httpMethod, resourceId: path, functionArn: "arn", isStreamed: false, timeoutMs: 1_000 };
}
