// Decodes the text of a request: checks its content coding, charset and UTF-8, and says what is wrong with its JSON.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { ApiError } from "../../contract/errors/api-error.ts";

/** Deeper than any option, and shallow enough for every recursive function that reads the parsed value. */
const MAX_JSON_DEPTH = 100;

/** UTF-8, and ASCII, which is a subset of it. */
const SUPPORTED_CHARSETS: readonly string[] = ["utf-8", "utf8", "us-ascii", "ascii"];

/** Replaces bytes that are not UTF-8 in decoded text. A text may also contain the character itself. */
const REPLACEMENT_CHARACTER = "\ufffd";

/**
 * The body of a request as text; null when it has none. A body that is neither JSON nor a form is returned unchanged. Names of headers
 * are in lower case. Throws `BAD_REQUEST` for bytes that are not UTF-8 and for a method that takes no body, and
 * `UNSUPPORTED_MEDIA_TYPE` for a content coding or a charset that is not supported.
 */
export function decodeBody(
  event: Pick<APIGatewayProxyEvent, "body" | "headers" | "httpMethod" | "isBase64Encoded">,
): string | null {
  const { body, headers, httpMethod } = event;
  if (body === null || body === "") return body;
  if (httpMethod === "GET" || httpMethod === "HEAD") throw bodyOfGet(httpMethod);
  requireNoContentCoding(headers["content-encoding"]);
  const contentType = headers["content-type"];
  if (!isJsonType(contentType) && !isFormType(contentType)) return body; // refused by its type later, unless it is empty
  requireSupportedCharset(contentType);
  return event.isBase64Encoded ? decodeUtf8(Buffer.from(body, "base64")) : requireUtf8(body, headers);
}

function bodyOfGet(method: string): ApiError {
  return new ApiError("BAD_REQUEST", `A ${method} request takes no body. Send the options in the query, or use POST.`);
}

/** The media type without its parameters, in lower case. */
export function mediaType(contentType: string | undefined): string {
  return contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

export function isJsonType(contentType: string | undefined): boolean {
  return /^application\/(.+\+)?json$/.test(mediaType(contentType));
}

export function isFormType(contentType: string | undefined): boolean {
  return mediaType(contentType) === "application/x-www-form-urlencoded";
}

/**
 * The names and values of a form, percent-decoded. `URLSearchParams` would take `%zz` literally and put U+FFFD for bytes
 * that are not UTF-8. Throws `BAD_REQUEST` for both.
 */
export function parseForm(text: string): (readonly [name: string, value: string])[] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
      return [percentDecode(name), percentDecode(value)] as const;
    });
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    const message = /%(?![0-9a-f]{2})/i.test(text)
      ? "The form has a '%' that two hexadecimal digits do not follow. Write a percent sign as %25."
      : "The form has percent-encoded bytes that are not UTF-8. Encode its text as UTF-8.";
    throw new ApiError("BAD_REQUEST", message, { cause });
  }
}

/**
 * Throws `BAD_REQUEST` for a query whose bytes were not UTF-8. API Gateway hands on the decoded query only, in which
 * U+FFFD stands for such bytes and for itself.
 */
export function requireUtf8Query(query: readonly (readonly [name: string, value: string])[]): void {
  if (!query.some((pair) => pair.some((text) => text.includes(REPLACEMENT_CHARACTER)))) return;
  const message =
    "The query has percent-encoded bytes that are not UTF-8. Encode its text as UTF-8. The character U+FFFD, which " +
    "stands for such bytes, can be sent in a body only.";
  throw new ApiError("BAD_REQUEST", message);
}

function requireNoContentCoding(contentEncoding = ""): void {
  const coding = contentEncoding.trim();
  if (coding === "" || coding.toLowerCase() === "identity") return;
  const message = `The Content-Encoding '${coding.slice(0, 100)}' is not supported. Send the body uncompressed.`;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", message);
}

function requireSupportedCharset(contentType = ""): void {
  const [, ...parameters] = contentType.split(";");
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=", 2);
    const charset = value.trim().replaceAll('"', "").toLowerCase();
    if (name.trim().toLowerCase() !== "charset" || SUPPORTED_CHARSETS.includes(charset)) continue;
    const message = `The charset '${charset.slice(0, 100)}' is not supported. Send the body as UTF-8.`;
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", message);
  }
}

const NOT_UTF8 = "The body has bytes that are not UTF-8. Encode it as UTF-8.";

/** Drops a byte-order mark. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", NOT_UTF8, { cause });
  }
}

/**
 * The body that API Gateway has decoded, without a byte-order mark. Throws `BAD_REQUEST` where it was not UTF-8.
 *
 * API Gateway replaces bytes that are not UTF-8 by U+FFFD, which takes three bytes. One U+FFFD replaces one to three
 * bytes (https://encoding.spec.whatwg.org/#utf-8-decoder), so that the text of a client that sent the character itself
 * is as long as its Content-Length says, and other text is longer, unless it is only cut within characters of four bytes.
 */
function requireUtf8(text: string, headers: APIGatewayProxyEvent["headers"]): string {
  const sentLength = headers["content-length"];
  if (text.includes(REPLACEMENT_CHARACTER) && Number(sentLength) !== Buffer.byteLength(text)) {
    const hint = " The character U+FFFD, which stands for such bytes, needs a Content-Length, or is \\ufffd in JSON.";
    throw new ApiError("BAD_REQUEST", sentLength === undefined ? NOT_UTF8 + hint : NOT_UTF8);
  }
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/**
 * The error of a body that middy's JSON parser refused: `BAD_REQUEST`, or `VALIDATION_ERROR` for a name that could change a
 * prototype, which is no option. Undefined for any other error.
 */
export function jsonBodyError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error && "statusCode" in error && error.statusCode === 422)) return undefined;
  const name = forbiddenName(error.cause);
  if (name !== undefined) {
    const problem = "is not an option";
    const details = Object.fromEntries([[name, [problem]]]); // a literal's `__proto__` would set the prototype
    return new ApiError("VALIDATION_ERROR", `Option '${name}' ${problem}.`, { details, cause: error });
  }
  const message = "The body is not valid JSON. Check quotes, commas and brackets.";
  return new ApiError("BAD_REQUEST", message, { cause: error });
}

/** The name that the parser refused: the data of the error's cause. For any other problem that is the whole body. */
function forbiddenName(cause: unknown): string | undefined {
  const data = typeof cause === "object" && cause !== null && "data" in cause ? cause.data : undefined;
  return data === "__proto__" || data === "constructor" ? data : undefined;
}

/** Throws `BAD_REQUEST` for a parsed body that is nested too deeply. */
export function requireReadableJson(body: unknown): void {
  if (!isDeeperThan(body, MAX_JSON_DEPTH)) return;
  throw new ApiError("BAD_REQUEST", `The JSON body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
