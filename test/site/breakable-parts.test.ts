// Where hosts, addresses, and names break at the end of a line.
import { expect, test } from "vitest";
import { breakableParts } from "../../lib/site/web/ui/breakable-parts.ts";

test.each([
  ["a host", "shop.example.com", ["shop.", "example.", "com"]],
  ["a host with a port", "127.0.0.1:19111", ["127.0.0.1:", "19111"]],
  ["an address", "https://example.com/a-b?c=d", ["https://", "example.", "com/", "a-", "b?", "c=", "d"]],
  ["an e-mail address", "ada.l-5412@mail.example.org", ["ada.l-5412@", "mail.example.org"]],
  ["an error code", "RANGE_NOT_SATISFIABLE", ["RANGE_", "NOT_", "SATISFIABLE"]],
])("a line breaks between the parts of %s", (_, text, parts) => {
  expect(breakableParts(text)).toEqual(parts);
});
