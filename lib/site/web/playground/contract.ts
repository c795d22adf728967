// The contract of the API in the browser: its options, its validation, and code samples. Loaded with the playground only.
import { ApiError } from "../../../contract/errors/api-error.ts";
import { type ErrorCode, errorKinds } from "../../../contract/errors/error-kinds.ts";
import { parseCaptureOptions } from "../../../contract/options/capture-options.ts";
import { describeKinds, type Format, fileExtension, formatKind, mimeTypes } from "../../../contract/options/formats.ts";
import { type OptionReference, optionReference } from "../../../contract/options/option-reference.ts";
import { ownOptionEntries, parseOutputs } from "../../../contract/options/outputs.ts";
import { deviceNames } from "../../../contract/options/values/devices.ts";
import { commonOptions } from "./common-options.ts";
import type { RequestOptions } from "./request-options.ts";
import { getSamples, postSamples } from "./request-samples.ts";

export type { OptionReference };

/** The options in the order of the reference, without those of the editors next to the form. */
const editedElsewhere = ["url", "html", "markdown", "source"];
const everyGroup = optionReference();
const groups = everyGroup.map(({ options, ...group }) => ({
  ...group,
  options: options.filter(({ name }) => !editedElsewhere.includes(name)),
}));

/** The messages of each option that the API would refuse, in the words of the API. */
function validate(options: RequestOptions): Readonly<Record<string, readonly string[]>> {
  try {
    if ("outputs" in options) parseOutputs(options);
    else parseCaptureOptions(options);
    return {};
  } catch (error) {
    if (error instanceof ApiError) return (error.details ?? {}) as Record<string, readonly string[]>;
    throw error;
  }
}

const reference = new Map(everyGroup.flatMap(({ options }) => options.map((each) => [each.name, each] as const)));

function isFormat(format: unknown): format is Format {
  return typeof format === "string" && Object.hasOwn(mimeTypes, format);
}

/** True for an option whose value is left out of links and of the history. */
const isSecret = (name: string): boolean => reference.get(name)?.secret ?? false;

/** True for an option that each of several results has for itself. */
const isOwn = (name: string): boolean => Object.hasOwn(ownOptionEntries, name);

/** Extension of the result's file. */
function extension({ format = "png", response_type: type, async: isAsync, outputs }: RequestOptions): string {
  if (outputs !== undefined) return type === "zip" ? "zip" : "json";
  if (type === "json" || isAsync === true) return "json";
  if (type === "base64") return "txt";
  return isFormat(format) ? fileExtension(format) : "bin"; // a link can hold anything
}

/** The options to show first for the format of a request, in the order of the form. */
const common = ({ format }: RequestOptions): readonly OptionReference[] =>
  commonOptions(isFormat(format) ? format : "png").flatMap((name) => reference.get(name) ?? []);

/** The kind of format to which an option applies, unless the format of the request is of that kind; undefined for others. */
const otherKind = ({ only }: OptionReference, { format = "png" }: RequestOptions): string | undefined =>
  only && isFormat(format) && !only.includes(formatKind(format)) ? describeKinds(only) : undefined;

/** The HTTP status with which a synchronous request answers an error. */
const statusOf = (code: string): number => errorKinds[code as ErrorCode]?.status ?? 500;

/** The names of the formats, one for each. */
const formats = Object.keys(mimeTypes) as readonly Format[];

export const contract = {
  groups,
  common,
  otherKind,
  reference,
  validate,
  isSecret,
  isOwn,
  formats,
  extension,
  statusOf,
  deviceNames,
  postSamples,
  getSamples,
};
export type Contract = typeof contract;
