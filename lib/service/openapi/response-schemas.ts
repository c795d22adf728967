// Response schemas as JSON Schema 2020-12: each valibot schema becomes a component of the OpenAPI document.
import { type ConversionConfig, type JsonSchema as Converted, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { ErrorCodeSchema, ErrorResponse, TargetSchema } from "../../contract/errors/error-response.ts";
import type { JsonSchema } from "../../contract/options/option.ts";
import { ReportSchema } from "../../contract/problems/capture-report.ts";
import { ProblemSchema } from "../../contract/problems/problem.ts";
import {
  AccountLimit,
  AccountResponse,
  AccountSettings,
  DailyLimit,
  Invoice,
  Invoices,
  Overage,
  Period,
  QuotaResponse,
  QuotasResponse,
} from "../account/responses.ts";
import { DataExportResponse } from "../account-data/responses.ts";
import { QuotaExceeded } from "../billing/quota-exceeded.ts";
import { BulkCapture, BulkCaptures, RefusedCapture } from "../bulk/responses.ts";
import { ImageMarkResponse, PageElementResponse, PageElementsResponse } from "../captures/element-responses.ts";
import { CaptureMetadataResponse } from "../captures/metadata-responses.ts";
import { OutputResult, OutputsResult, OutputsValidation } from "../captures/output-responses.ts";
import { CaptureAccepted, CaptureResult, CaptureValidation, SliceResponse } from "../captures/responses.ts";
import { Health, OpenapiDocument } from "../health/responses.ts";
import {
  CaptureState,
  CaptureStateOutput,
  CaptureStates,
  WebhookEvent,
  WebhookRedelivery,
  WebhookState,
  WebhookTest,
} from "../jobs/responses.ts";
import { IssuedKeyResponse, Key, Keys } from "../keys/responses.ts";
import {
  IssuedReceiver,
  ReceiverDeliveries,
  ReceiverDelivery,
  ReceiverSecret,
  WebhookReceiver,
  WebhookReceivers,
  WebhookReplay,
} from "../receivers/responses.ts";
import {
  CaptureLogResponse,
  DescribedCaptureResponse,
  UsageBreakdown,
  UsagePage,
  UsageSearch,
  UsageStatistics,
} from "../usage/responses.ts";

/** The components by name. A schema within another one becomes a reference. */
const components: Readonly<Record<string, v.GenericSchema>> = {
  CaptureResult,
  Slice: SliceResponse,
  CaptureMetadata: CaptureMetadataResponse,
  PageElements: PageElementsResponse,
  PageElement: PageElementResponse,
  ImageMark: ImageMarkResponse,
  CaptureReport: ReportSchema,
  Problem: ProblemSchema,
  CaptureAccepted,
  CaptureValidation,
  OutputsResult,
  OutputResult,
  OutputsValidation,
  CaptureState,
  CaptureStateOutput,
  CaptureStates,
  WebhookState,
  WebhookRedelivery,
  WebhookTest,
  BulkCaptures,
  BulkCapture,
  RefusedCapture,
  CaptureLog: CaptureLogResponse,
  CaptureDetails: DescribedCaptureResponse,
  UsagePage,
  UsageSearch,
  UsageBreakdown,
  UsageStatistics,
  DataExport: DataExportResponse,
  Account: AccountResponse,
  AccountLimit,
  DailyLimit,
  AccountSettings,
  Invoices,
  Invoice,
  Period,
  Quotas: QuotasResponse,
  Quota: QuotaResponse,
  Overage,
  Key,
  IssuedKey: IssuedKeyResponse,
  Keys,
  WebhookReceivers,
  WebhookReceiver,
  IssuedWebhookReceiver: IssuedReceiver,
  WebhookReceiverSecret: ReceiverSecret,
  WebhookDeliveries: ReceiverDeliveries,
  WebhookDelivery: ReceiverDelivery,
  WebhookReplay,
  WebhookEvent,
  Health,
  OpenapiDocument,
  Error: ErrorResponse,
  QuotaExceeded,
  ErrorCode: ErrorCodeSchema,
  Target: TargetSchema,
};

/** The name of each component by its schema. */
const names = new Map(Object.entries(components).map(([name, schema]) => [schema, name]));

/** All response schemas, by the names of their components. */
export function responseSchemas(): Readonly<Record<string, JsonSchema>> {
  return toJsonSchemaDefs(components, conversion) as Readonly<Record<string, JsonSchema>>;
}

/** A reference to the component of a response schema. Throws for a schema that is none. */
export function responseRef(schema: v.GenericSchema): { readonly $ref: string } {
  const name = names.get(schema);
  if (name === undefined) throw new Error(`The response schema '${schema.type}' is not among the components.`);
  return { $ref: `#/components/schemas/${name}` };
}

const conversion: ConversionConfig = {
  target: "draft-2020-12",
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ valibotSchema: { type }, jsonSchema }) => forGenerators(type, jsonSchema),
};

/** Writes the forms that client generators handle best, such as `type: ["integer", "null"]` in place of `anyOf`. */
function forGenerators(type: string, schema: Converted): Converted {
  const { propertyNames: _, required, anyOf = [], ...rest } = schema;
  const forms = anyOf.filter((each) => typeof each !== "boolean");
  const [first] = forms;
  if (type === "nullable" && isPlain(first)) return withTypes(first, [first.type, "null"].flat());
  if (type === "union" && forms.every((each) => isPlain(each) && Object.keys(each).length === 1)) {
    return withTypes(
      rest,
      forms.flatMap((each) => each.type),
    );
  }
  if (type === "union" && forms.every((each) => each.type === "object" && each.properties)) {
    return { ...rest, oneOf: anyOf }; // objects with different properties exclude each other
  }
  if (type === "record") return rest;
  if (type === "object") return required?.length ? schema : rest;
  if (type === "literal") return withTypes(schema, typeof schema.const);
  return schema;
}

/** True for a schema with a type that others can be added to. */
function isPlain(schema: Converted | undefined): schema is Converted & Required<Pick<Converted, "type">> {
  const { type, const: value, enum: values } = schema ?? {};
  return type !== undefined && type !== "object" && value === undefined && values === undefined;
}

/** JSON Schema 2020-12 allows a list of types; the library's type is that of draft 7. */
function withTypes(schema: Converted, type: unknown): Converted {
  return { ...schema, type } as Converted;
}
