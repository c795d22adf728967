// The response schema of every route and status: handlers are typed by it, and the OpenAPI document is written from it.
import type * as v from "valibot";
import { Account, AccountSettings, Invoices } from "./account/responses.ts";
import { BulkCaptures } from "./bulk/responses.ts";
import { CaptureState, CaptureStates, WebhookRedelivery, WebhookTest } from "./jobs/responses.ts";
import { IssuedKey, Key, Keys } from "./keys/responses.ts";
import type { ResponseBody } from "./response-fields.ts";
import type { RouteName } from "./routes.ts";
import { CaptureMetadata } from "./screenshot/metadata-responses.ts";
import { CaptureAccepted, CaptureResult, CaptureValidation } from "./screenshot/responses.ts";
import { Health, OpenapiDocument } from "./service/responses.ts";
import { CaptureDetails, UsageBreakdown, UsagePage, UsageSearch, UsageStatistics } from "./usage/responses.ts";

/** The JSON bodies of a status: one of these schemas. Empty for a response without JSON. */
type JsonBodies = readonly v.GenericSchema[];

/** A capture answers with JSON, with the bytes of its result, or without a body. */
const capture = {
  200: [CaptureResult, CaptureMetadata, CaptureValidation],
  202: [CaptureAccepted],
  204: [],
  303: [],
  304: [],
} as const;

/** Successes and redirects by route. All failures are `ErrorResponse`. A route that is missing here does not compile. */
export const routeResponses = {
  "GET /health": { 200: [Health] },
  "GET /api/v1/openapi.json": { 200: [OpenapiDocument] },
  "GET /api/v1/screenshot": capture,
  "POST /api/v1/screenshot": capture,
  "GET /api/v1/screenshot/{id}": { 200: [CaptureState] },
  "DELETE /api/v1/screenshot/{id}": { 204: [] },
  "POST /api/v1/screenshot/{id}/webhook/redeliver": { 202: [WebhookRedelivery] },
  "GET /api/v1/jobs": { 200: [CaptureStates] },
  "POST /api/v1/webhooks/test": { 200: [WebhookTest] },
  "POST /api/v1/bulk": { 200: [BulkCaptures], 202: [BulkCaptures] },
  "GET /api/v1/usage": { 200: [UsagePage] },
  "GET /api/v1/usage/stats": { 200: [UsageStatistics] },
  "GET /api/v1/usage/breakdown": { 200: [UsageBreakdown] },
  "GET /api/v1/usage/search": { 200: [UsageSearch] },
  "GET /api/v1/usage/export": { 200: [] },
  "GET /api/v1/usage/{id}": { 200: [CaptureDetails] },
  "GET /api/v1/account": { 200: [Account] },
  "GET /api/v1/account/settings": { 200: [AccountSettings] },
  "GET /api/v1/account/invoices": { 200: [Invoices] },
  "GET /api/v1/account/invoices/{start}/pdf": { 200: [] },
  "GET /api/v1/keys": { 200: [Keys] },
  "POST /api/v1/keys": { 201: [IssuedKey] },
  "GET /api/v1/keys/{id}": { 200: [Key] },
  "PATCH /api/v1/keys/{id}": { 200: [Key] },
  "DELETE /api/v1/keys/{id}": { 200: [Key] },
  "POST /api/v1/keys/{id}/rotate": { 200: [IssuedKey] },
  "GET /storage/{key+}": { 200: [CaptureMetadata], 206: [CaptureMetadata], 302: [], 304: [] },
} as const satisfies Readonly<Record<RouteName, Readonly<Record<number, JsonBodies>>>>;

type Schemas<Route extends RouteName> = Route extends RouteName
  ? (typeof routeResponses)[Route] extends infer Statuses
    ? Statuses[keyof Statuses]
    : never
  : never;

type Body<Bodies> = Bodies extends JsonBodies
  ? Bodies[number] extends never
    ? never
    : ResponseBody<Bodies[number]>
  : never;

/** What the JSON of a route, or of any of several routes, may be. */
export type RouteBody<Route extends RouteName> = Body<Schemas<Route>>;
