// The environment variables of the operator's identity on one machine.
import { expect, test } from "vitest";
import { readIdentity } from "../../../../lib/tools/local/cli/identity-settings.ts";
import { LocalServiceError } from "../../../../lib/tools/local/local-service-error.ts";

test("identity of one machine: functions get the variables that are set, and no others", () => {
  const variables = { SUPPORT: "support@example.com", SOURCE_URL: "https://code.example.com/captures" };
  expect(readIdentity({ ...variables, TERMS_URL: "", IMPRINT_URL: undefined, PORT: "3000" })).toEqual(variables);
});

test.each([
  [
    { SUPPORT: "javascript:alert(1)" },
    "SUPPORT must be an e-mail address such as support@example.com, or an https address",
  ],
  [{ TERMS_URL: "example.com/terms" }, "TERMS_URL must be an https address such as https://example.com/terms, not"],
])("identity of one machine: the start refuses %j", (variables, message) => {
  expect(() => readIdentity(variables)).toThrow(LocalServiceError);
  expect(() => readIdentity(variables)).toThrow(message);
});
