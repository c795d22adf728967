// The JSON Schemas of the contract as named objects and enumerations, for clients in languages whose types all have a name.
import { clientContract, filterSchemas } from "./client-contract.ts";
import { pascalCase } from "./pascal-case.ts";
import type { Schema } from "./typescript-types.ts";

export type ModelType =
  | { readonly kind: "string" | "integer" | "number" | "boolean" | "any" }
  | { readonly kind: "list" | "map"; readonly of: ModelType }
  | { readonly kind: "object" | "enum"; readonly name: string };

export interface ModelField {
  /** The name of the API. */
  readonly name: string;
  readonly type: ModelType;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly description: string | undefined;
}

export interface ModelObject {
  readonly name: string;
  /** The object that contains it, for one that has no name in the contract. */
  readonly parent: string | undefined;
  readonly description: string | undefined;
  readonly fields: readonly ModelField[];
  /** True for what callers send, false for what the service answers. */
  readonly isSent: boolean;
}

export interface ModelEnum {
  readonly name: string;
  readonly values: readonly string[];
  readonly description: string | undefined;
}

export interface SchemaModel {
  readonly objects: readonly ModelObject[];
  readonly enums: readonly ModelEnum[];
}

/** Schemas that no method of these clients takes or returns: lists whose items it returns, and documents. */
const UNUSED = [
  ...[
    "BulkCaptures",
    "BulkOptions",
    "CaptureStates",
    "Health",
    "Invoices",
    "Keys",
    "OpenapiDocument",
    "OutputsValidation",
  ],
  ...["QuotaExceeded", "RefusedCapture", "UsagePage", "UsageSearch", "WebhookDeliveries", "WebhookReceivers"],
  "WebhookReceiverSecret",
];

/** Names that say more than the property of an object without a name. */
const NAMES: Readonly<Record<string, string>> = {
  BulkOptions: "CaptureOptions",
  CaptureOptionsCooky: "Cookie",
  Error: "ErrorBody",
  UsageStatisticsSeries: "UsageDay",
};

/** Names that say more than the property of an enumeration. */
const ENUM_NAMES: Readonly<Record<string, string>> = {
  "CaptureOptions.fail_if_problem": "ProblemCode",
  "ExportRequest.status": "FinalStatus",
  "ExportRequest.format": "ResultFormat",
  "ExportRequest.output": "ExportFormat",
  "NewKey.scope": "KeyScope",
  "CaptureReport.clock": "ReportClock",
  "CaptureReportWait.outcome": "WaitOutcome",
  "ProblemEvidence.frame": "VideoFrame",
  "CaptureState.status": "CaptureStatus",
  "CaptureState.phase": "CapturePhase",
  "WebhookState.status": "WebhookStatus",
  "BulkCapture.status": "BulkCaptureStatus",
  "DataExport.status": "ExportStatus",
  "Invoice.status": "InvoiceStatus",
  "Invoice.payment": "PaymentStatus",
  "WebhookReceiver.kind": "ReceiverKind",
  "WebhookReceiver.status": "ReceiverStatus",
  "WebhookDelivery.type": "DeliveryType",
  "WebhookEvent.type": "EventType",
  "WebhookDeliveryFilter.status": "DeliveryStatus",
};

/** Objects and enumerations, each one once, in the order of the contract. */
export function schemaModel(): SchemaModel {
  const schemas = usedSchemas();
  const sent = new Set(Object.keys(schemas).slice(0, Object.keys(schemas).indexOf("CaptureResult")));
  const filters = filterSchemas() as Readonly<Record<string, Schema>>;
  const objects: ModelObject[] = [];
  const enums = new Enumerations();
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties) addObject(name, schema, undefined, sent.has(name));
  }
  for (const [name, schema] of Object.entries(filters)) addObject(name, schema, undefined, true);
  return { objects, enums: enums.list };

  function addObject(name: string, schema: Schema, parent: string | undefined, isSent: boolean): void {
    const { description, properties = {}, required = [] } = schema;
    const fields: ModelField[] = [];
    objects.push({ name, parent, description, fields, isSent });
    for (const [field, each] of Object.entries(properties)) {
      const isNullable = alternatives(each).some(({ type }) => type === "null");
      const type = toType(each, { owner: name, field, root: parent ?? name, isSent });
      fields.push({
        name: field,
        type,
        isRequired: required.includes(field),
        isNullable,
        description: each.description,
      });
    }
  }

  function toType(schema: Schema, place: Place): ModelType {
    const options = alternatives(schema).filter(({ type }) => type !== "null");
    const [first = {}] = options;
    if (options.length === 1) return simpleType(first, place);
    // Callers can send everything in the form that names its parts.
    const named = place.isSent && options.find(({ properties, type }) => properties ?? type === "object");
    return named ? simpleType(named, place) : { kind: "any" };
  }

  function simpleType(schema: Schema, place: Place): ModelType {
    const { $ref, type, items = {}, properties, additionalProperties, enum: values } = schema;
    if ($ref !== undefined) {
      const [name = ""] = $ref.replace("#/components/schemas/", "").split("/");
      const target = NAMES[name] ?? name;
      return schemas[target]?.properties
        ? { kind: "object", name: target }
        : toType(schemas[target] ?? {}, { ...place, field: target });
    }
    if (values) return { kind: "enum", name: enums.add(place, schema) };
    if (properties) {
      const name = `${place.owner}${pascalCase(place.field)}`;
      const free = NAMES[name] ?? (name in schemas ? `${name}Data` : name);
      addObject(free, schema, name in NAMES ? undefined : place.root, place.isSent);
      return { kind: "object", name: free };
    }
    if (type === "array") return { kind: "list", of: toType(items, { ...place, field: singular(place.field) }) };
    if (type === "object") {
      const value = typeof additionalProperties === "object" ? additionalProperties : {};
      return { kind: "map", of: Object.keys(value).length === 0 ? { kind: "any" } : toType(value, place) };
    }
    return { kind: SIMPLE_KINDS.find((kind) => kind === type) ?? "any" };
  }
}

const SIMPLE_KINDS = ["string", "integer", "number", "boolean"] as const;

/** Where a type stands: in which field of which object, and in which object of the contract. */
interface Place {
  readonly owner: string;
  readonly field: string;
  readonly root: string;
  readonly isSent: boolean;
}

/** The schemas with the names of the clients. What follows from the method isn't an option, and objects in several forms become one. */
function usedSchemas(): Readonly<Record<string, Schema>> {
  const all = clientContract().components.schemas as Readonly<Record<string, Schema>>;
  const { async: _, response_type: __, outputs: ___, ...options } = all["CaptureOptions"]?.properties ?? {};
  const { BulkCapture: capture = {}, RefusedCapture: refused = {}, Quotas: quotas = {} } = all;
  const merged: Readonly<Record<string, Schema>> = {
    CaptureOptions: { ...all["CaptureOptions"], properties: options },
    BulkCapture: merge(capture, [capture, refused]),
    Quotas: merge(quotas, quotas.oneOf ?? []),
  };
  const used = Object.entries(all).filter(([name]) => !UNUSED.includes(name));
  return Object.fromEntries(used.map(([name, schema]) => [NAMES[name] ?? name, merged[name] ?? schema]));
}

/** One object that has the fields of all: required are those that all require. */
function merge({ description = "" }: Schema, forms: readonly Schema[]): Schema {
  const statuses = forms.flatMap(({ properties }) => properties?.["status"] ?? []);
  const values = statuses.flatMap((each) => each.enum ?? ("const" in each ? [each.const] : []));
  const properties: Record<string, Schema> = Object.assign({}, ...forms.map((form) => form.properties));
  if (values.length > 0) properties["status"] = { ...statuses[0], enum: values };
  const [first = [], ...others] = forms.map(({ required = [] }) => required);
  return { description, properties, required: first.filter((name) => others.every((each) => each.includes(name))) };
}

/** Enumerations with the same values are one. */
class Enumerations {
  readonly list: ModelEnum[] = [];

  /** The name of the enumeration at a place. */
  add({ owner, field }: Place, { enum: listed = [], description }: Schema): string {
    const values = listed.map(String);
    const known = this.list.find((each) => each.values.join() === values.join());
    if (known) return known.name;
    const name = ENUM_NAMES[`${owner}.${field}`] ?? pascalCase(field);
    if (this.list.some((each) => each.name === name)) throw new Error(`Give the values of ${owner}.${field} a name.`);
    this.list.push({ name, values, description });
    return name;
  }
}

/** The forms that a value can have. */
function alternatives(schema: Schema): readonly Schema[] {
  const { type, oneOf, anyOf } = schema;
  return oneOf ?? anyOf ?? (typeof type === "object" ? type.map((each) => ({ ...schema, type: each })) : [schema]);
}

/** The name of an item of a list: `steps` has a `step`. */
function singular(name: string): string {
  return name.endsWith("series") ? name : name.replace(/ies$/, "y").replace(/s$/, "");
}
