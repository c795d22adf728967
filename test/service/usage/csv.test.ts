// Lines of CSV, and what spreadsheets must not run of them.
import { expect, test } from "vitest";
import { csvHeader, csvLine } from "../../../lib/service/usage/csv.ts";

test("CSV: every field is in quotes, so that no separator of a spreadsheet splits it", () => {
  expect(csvHeader(["id", "url"])).toBe("id,url\r\n");
  expect(csvLine(["http://x/;=HYPERLINK(0)", 'a "b"', 7, true, null, undefined, ""])).toBe(
    '"http://x/;=HYPERLINK(0)","a ""b""","7","true","","",""\r\n',
  );
});

test.each(["=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"])(
  "CSV: a text that begins with %s is no formula, also after blanks",
  (sign) => {
    for (const before of ["", " ", "\t", "\r", "\n", "\u00a0", "\ufeff", "\0"]) {
      expect(csvLine([`${before}${sign}1+1`])).toBe(`"'${before}${sign}1+1"\r\n`);
    }
  },
);

test.each(["\tx", "\rx", "\nx"])("CSV: the text %j is no formula", (text) => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`);
});

test("CSV: other texts and all numbers stay as they are", () => {
  expect(csvLine(["a=b", "https://example.com/?a=1", -5])).toBe('"a=b","https://example.com/?a=1","-5"\r\n');
});
