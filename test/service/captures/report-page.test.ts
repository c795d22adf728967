// The page of a report whose every text was written by a renderer that a page has taken over.
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { ReportFileSchema } from "../../../lib/service/captures/report-file.ts";
import { REPORT_PAGE_POLICY, reportPage } from "../../../lib/service/captures/report-page.ts";

type Schema = v.GenericSchema & {
  readonly pipe?: readonly [Schema, ...unknown[]];
  readonly wrapped?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly options?: readonly unknown[];
};

const PICTURE = "data:image/webp;base64,UklGRg==";
let texts = 0;

/** A value of a schema with this text wherever it takes any, also as a name; the largest one, so that nothing is left out. */
function hostileValue(schema: Schema, text: string): unknown {
  const { wrapped, entries, item, value, options, pipe } = schema;
  if (pipe?.some((action) => (action as { type?: string }).type === "regex")) return PICTURE;
  if (wrapped) return hostileValue(wrapped, text);
  if (schema.type === "object")
    return Object.fromEntries(Object.entries(entries ?? {}).map(([name, each]) => [name, hostileValue(each, text)]));
  if (schema.type === "array") return item ? [hostileValue(item, text), hostileValue(item, text)] : [];
  if (schema.type === "record") return { [text]: value ? hostileValue(value, text) : text };
  if (schema.type === "picklist") return options?.[0];
  if (schema.type === "number") return 1;
  if (schema.type === "boolean") return true;
  texts++;
  return text;
}

const fileWith = (text: string) => v.parse(ReportFileSchema, hostileValue(ReportFileSchema as unknown as Schema, text));
const pageWith = (text: string) => reportPage({ requestId: 7, url: text, file: fileWith(text) });

/** Start tags with their attributes, without the values. */
const elementsOf = (page: string) =>
  [...page.matchAll(/<(!?[a-z][^\s>/]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*>/gi)].map(
    ([, name, attributes = ""]) => `${name}${attributes.replaceAll(/="[^"]*"/g, "")}`,
  );

describe("the page of a report", () => {
  test("has the texts of the report, all of them", () => {
    texts = 0;
    const page = pageWith("SEEN");
    expect(texts).toBeGreaterThan(25);
    expect(page.split("SEEN").length).toBeGreaterThan(25);
    expect(page).toContain(`<td>IP address</td><td>SEEN</td>`);
    expect(page).toContain(`<img src="${PICTURE}"`);
  });

  test.each([
    "<script>alert(1)</script>",
    `"><form action="https://example.com"><input name=password><button>Sign in`,
    `<meta http-equiv="refresh" content="0;url=https://example.com">`,
    `<base href="https://example.com/">`,
    `<a href="https://example.com">Continue</a>`,
    `</title></style></pre></code></td></table><svg onload=alert(1)>`,
    `<img src="https://example.com/seen">`,
    `' onmouseover='alert(1)`,
    `" style="position:fixed;inset:0" x="`,
    "<!--",
    "<plaintext>",
    "&lt;script&gt;&#60;script&#62;",
    "<\u0000script>",
  ])("has the same elements and attributes with %j in each text", (text) => {
    const page = pageWith(text);
    expect(elementsOf(page)).toEqual(elementsOf(pageWith("harmless")));
    if (text.includes("<")) expect(page).not.toContain(text);
  });

  test("is not made of a file with another address of a picture", () => {
    const file = fileWith("text");
    for (const thumbnail of ["https://example.com/seen.png", "data:image/svg+xml;base64,AAAA", `${PICTURE}"><form>`])
      expect(v.is(ReportFileSchema, { ...file, thumbnail })).toBe(false);
    expect(v.is(ReportFileSchema, { ...file, thumbnail: PICTURE })).toBe(true);
  });

  test("runs nothing, sends nothing, leads nowhere, and is no part of the service's origin", () => {
    const policy = new Set(REPORT_PAGE_POLICY.split("; "));
    for (const directive of [
      "sandbox",
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(directive);
    expect(REPORT_PAGE_POLICY).not.toMatch(/allow-|script/);
  });
});
