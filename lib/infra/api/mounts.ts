// Maps each resource of API Gateway to the function that answers its requests.
import type { FunctionName } from "../../service/http/route.ts";
import { statusObjects } from "./status-objects.ts";

interface Mount {
  /** Path of the resource. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly functionName: FunctionName;
}

const ALL = ["ANY"] as const;
const READ = ["GET", "HEAD"] as const;

const all = (functionName: FunctionName, ...paths: readonly string[]): Mount[] =>
  paths.map((path) => ({ path, methods: ALL, functionName }));

/**
 * The most specific resource that matches a path and has a method for the request takes it, `ANY` included. So a resource with single
 * methods has `ANY`, too, for a function that refuses the others without Chromium: a greedy resource above would take them otherwise.
 *
 * A resource has at most one child with a variable, and an update makes new resources before it deletes old ones. So a variable that
 * was in use keeps its name: `{id}`, `{key+}`, `{start}`.
 */
export const mounts: readonly Mount[] = [
  ...all("web", "/", "/{proxy+}"),
  ...all("api", "/api/v1/{proxy+}", "/storage/{key+}"),
  ...all("identity", "/api/v1/account/settings", "/api/v1/account/plan-change", "/api/v1/account/payment-address"),
  ...all("identity", "/api/v1/keys", "/api/v1/keys/{id}", "/api/v1/keys/{id}/rotate", "/api/v1/keys/{id}/previous"),
  ...all(
    "identity",
    "/api/v1/webhooks/receivers",
    "/api/v1/webhooks/receivers/{id}",
    "/api/v1/webhooks/receivers/{id}/secret",
    "/api/v1/webhooks/receivers/{id}/rotate",
  ),
  ...all("identity", "/session", "/session/{proxy+}", "/sessions", "/sessions/{id}", "/sign-in", "/sign-in/{proxy+}"),
  ...all("web", "/api/v1/openapi.json"),
  ...all("web", ...statusObjects.map(({ path }) => path)), // but for GET and HEAD, which no function answers
  { path: "/api/v1/screenshot", methods: [...READ, "POST"], functionName: "screenshot" },
  ...all("api", "/api/v1/screenshot"),
  { path: "/api/v1/account/invoices/{start}/pdf", methods: READ, functionName: "invoice-pdf" },
  ...all("api", "/api/v1/account/invoices/{start}/pdf"),
  { path: "/try", methods: ["POST"], functionName: "try" },
  ...all("web", "/try"),
  ...all("operator", "/operator/api/{proxy+}"),
  { path: "/billing/events", methods: ["POST"], functionName: "billing" },
  ...all("web", "/billing/events"),
  { path: "/mcp", methods: ["POST"], functionName: "mcp" },
  ...all("web", "/mcp"),
];
