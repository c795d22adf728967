// Who runs a service: the addresses that settings may have, and how texts name them.
import { expect, test } from "vitest";
import { parseIdentity, reachOperator, reachSupport, supportLink } from "../../lib/contract/operator-identity.ts";

test("identity: keeps addresses, and leaves out what isn't set", () => {
  const identity = {
    support: "support+captures@mail.example.com",
    terms: "https://example.com/terms#today",
    source: "http://localhost:3000/source",
  };
  expect(parseIdentity({ ...identity, privacy: "", imprint: undefined })).toEqual(identity);
  expect(parseIdentity({ support: "https://example.com" })).toEqual({ support: "https://example.com/" });
  for (const source of ["http://127.0.0.1:3000/", "http://[::1]:3000/", "http://captures.localhost/"])
    expect(parseIdentity({ source })).toEqual({ source });
});

test.each([
  ["terms", "terms@example.com"],
  ["terms", "javascript:alert(1)"],
  ["terms", "JaVaScRiPt:alert(1)"],
  ["terms", "data:text/html,<script>1</script>"],
  ["terms", "http://example.com/terms"],
  ["terms", "http://localhost.example.com/terms"],
  ["terms", "https://user:password@example.com/"],
  ["terms", 'https://example.com/"onclick="alert(1)'],
  ["terms", "https://example.com/<b>"],
  ["terms", "https://example.com/a b"],
  ["terms", "java\nscript:alert(1)"],
  ["terms", "/terms"],
  ["support", "mailto:support@example.com"],
  ["support", "javascript:alert(1)"],
  ["support", "support@example.com?bcc=other@example.com"],
  ["support", "Support <support@example.com>"],
  ["support", "support@example.com\nBcc: other@example.com"],
  ["support", "<b>@example.com"],
] as const)("identity: refuses %s: %j in one sentence", (name, address) => {
  expect(() => parseIdentity({ [name]: address }, (setting) => `identity.${setting}`)).toThrow(
    new RegExp(`^identity\\.${name} must be an (?:e-mail|https) address[^]*, not '[^]*'\\.$`),
  );
});

test("identity: refuses an address that leaves no room in the environment of a function", () => {
  const terms = `https://example.com/${"a".repeat(200)}`;
  expect(() => parseIdentity({ terms })).toThrow("terms must have at most 200 characters, not 220.");
  expect(() => parseIdentity({ support: `${"a".repeat(200)}@example.com` })).toThrow(
    /^support must be an e-mail address/,
  );
});

test("identity: an address has nothing that a template of API Gateway would replace", () => {
  const support = "https://example.com/$context.requestId";
  expect(parseIdentity({ support })).toEqual({ support: "https://example.com/%24context.requestId" });
});

test("identity: texts name the support, and the operator where there is none", () => {
  expect([reachSupport("a@example.com"), supportLink("a@example.com")]).toEqual([
    "write to a@example.com",
    "mailto:a@example.com",
  ]);
  expect([reachSupport("https://example.com/help"), supportLink("https://example.com/help")]).toEqual([
    "go to https://example.com/help",
    "https://example.com/help",
  ]);
  expect([reachOperator("a@example.com"), reachOperator(undefined)]).toEqual([
    "write to a@example.com",
    "ask the operator of this service",
  ]);
});
