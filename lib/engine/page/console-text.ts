// Formats a console message as DevTools shows it.
import type { Protocol } from "puppeteer-core";

type Value = Protocol.Runtime.RemoteObject;

/**
 * Applies the format specifiers of the first value and appends the others. See
 * https://console.spec.whatwg.org/#formatter
 */
export function consoleText(values: readonly Value[]): string {
  const [first, ...rest] = values;
  if (!first) return "";
  if (first.type !== "string") return values.map(formatValue).join(" ");
  const format = String(first.value).replace(/%([sdifoOc%])/g, (directive, kind) => {
    if (kind === "%") return "%";
    const value = rest.shift();
    if (!value) return directive;
    if (kind === "c") return ""; // CSS
    return kind === "d" || kind === "i" ? String(Math.trunc(Number(formatValue(value)))) : formatValue(value);
  });
  return [format, ...rest.map(formatValue)].join(" ");
}

function formatValue(value: Value): string {
  if (value.type === "string") return String(value.value);
  if (value.unserializableValue !== undefined) return value.unserializableValue;
  if (value.preview && value.subtype !== "error") return formatPreview(value.preview);
  if ("value" in value && value.type !== "object") return String(value.value);
  return value.description ?? String(value.value);
}

/** Chromium's own preview of an object: a few properties, one level deep. */
function formatPreview({ subtype, properties, overflow, description }: Protocol.Runtime.ObjectPreview): string {
  const isList = subtype === "array" || subtype === "typedarray";
  if (!isList && subtype !== undefined) return description ?? ""; // a Map, a Date, an element, …
  const shownProperties = properties.map(({ name, value = "", type }) => {
    const text = type === "string" ? JSON.stringify(value) : value;
    return isList ? text : `${name}: ${text}`;
  });
  const inside = [...shownProperties, ...(overflow ? ["…"] : [])].join(", ");
  if (isList) return `[${inside}]`;
  return description === "Object" ? `{${inside}}` : `${description} {${inside}}`;
}
