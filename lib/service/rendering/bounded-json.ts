// Parses JSON that a page which has broken out of Chromium may have written: it takes no more memory than these limits allow, and has
// nothing that can't be written as JSON again.

/** The most values of a head with all metadata of eight outputs. As empty lists, which take the most, they are some 60 MB. */
const MAX_VALUES = 1_000_000;
const MAX_DEPTH = 64;

/** Throws for JSON that isn't valid, or exceeds a limit. */
export function parseBoundedJson(json: Buffer): unknown {
  assertSize(json);
  const parsed: unknown = JSON.parse(json.toString());
  assertFinite(parsed);
  return parsed;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPENING, CLOSING] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])]; // brackets and braces

/** Counts values and their depth before any of them is created. */
function assertSize(json: Buffer): void {
  let [values, depth, isText] = [1, 0, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) {
      values++;
      depth++;
    } else if (CLOSING.has(byte)) depth--;
    if (values > MAX_VALUES || depth > MAX_DEPTH) throw new RangeError("The JSON has too many values.");
  }
}

/** `1e999` is valid JSON, and infinity is not. */
function assertFinite(value: unknown): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("A number is too large.");
  if (typeof value === "object" && value !== null) for (const each of Object.values(value)) assertFinite(each);
}
