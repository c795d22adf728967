// Builders of requests, keys and logs: a test states only the fields that matter.
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { ApiError } from "../../lib/contract/errors/api-error.ts";
import type { Account, ApiKey } from "../../lib/service/account/account.ts";
import { followingWork } from "../../lib/service/http/after-response.ts";
import type { ApiRequest } from "../../lib/service/http/api-request.ts";
import type { CaptureLog } from "../../lib/service/usage/capture-log.ts";

export const JSON_TYPE = { "content-type": "application/json" };
export const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

/** A request as a handler sees it. */
export function anApiRequest(parts: Partial<ApiRequest> = {}): ApiRequest {
  return {
    method: "GET",
    path: "/api/v1/screenshot",
    resource: "/api/v1/screenshot",
    pathParameters: {},
    headers: {},
    query: [],
    body: null,
    bodyText: "",
    sourceIp: "192.0.2.1",
    cookies: [],
    sessionToken: undefined,
    isPrivate: false,
    keepPrivate: () => undefined,
    requestId: 1,
    receivedAt: Date.UTC(2026, 0, 31),
    startedAt: 0,
    responseHeaders: new Map(),
    ...followingWork(),
    ...parts,
  };
}

/** A request as API Gateway hands it to a function. */
export function anEvent(parts: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  return {
    httpMethod: "GET",
    path: "/api/v1/usage",
    resource: "/api/v1/usage",
    headers: {},
    multiValueHeaders: {},
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { identity: { sourceIp: "192.0.2.1" } } as APIGatewayProxyEvent["requestContext"],
    ...parts,
  };
}

/** The context of a function that has `remaining` milliseconds to live. */
export function aContext(remaining = 30_000): Context {
  return { getRemainingTimeInMillis: () => remaining } as Context;
}

export function anAccount(parts: Partial<Account> = {}): Account {
  return {
    id: 3,
    plan: "pro",
    label: "A customer",
    created_at: "2026-01-01T00:00:00.000Z",
    billed_from: "2026-01-01T00:00:00.000Z",
    email: null,
    requested_plan: null,
    quota_alerts: true,
    key_alerts: true,
    store_thumbnails: true,
    version: 1,
    ...parts,
  };
}

export function anApiKey(parts: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 7,
    account_id: 3,
    label: "Website",
    key_prefix: "cap_01234567",
    hash: "00",
    reports_first_use: false,
    scopes: ["capture", "usage", "keys"],
    require_signature: false,
    signing_secret: "whsec_c2VjcmV0",
    previous_signing_secrets: [],
    previous_texts: [],
    monthly_limit: null,
    created_at: "2026-01-01T00:00:00.000Z",
    expires_at: null,
    revoked_at: null,
    ...parts,
  };
}

export function aCaptureLog(parts: Partial<CaptureLog> = {}): CaptureLog {
  return {
    id: 1,
    user_id: 3,
    api_key_id: 7,
    url: "https://example.com/",
    options: { url: "https://example.com/" },
    format: "png",
    status: "success",
    http_status_code: null,
    error_message: null,
    response_time_ms: 1200,
    file_size_bytes: 34_567,
    cached: false,
    asynchronous: false,
    group_id: null,
    output_name: null,
    webhook_target: null,
    thumbnail: null,
    ip_address: "192.0.2.1",
    created_at: "2026-01-31T10:00:00.000000Z",
    api_key: { id: 7, label: "Website", key_prefix: "cap_01234567" },
    ...parts,
  };
}

/** The ApiError an action throws. */
export function apiErrorOf(action: () => unknown): ApiError {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown, where an ApiError was expected");
}
