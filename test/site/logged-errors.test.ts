// The filter of captures by error.
import { expect, test } from "vitest";
import { errorKinds } from "../../lib/contract/errors/error-kinds.ts";
import { loggedErrorCodes } from "../../lib/site/web/app/logged-errors.ts";

test("the filter offers every error of a page and of the service", () => {
  const codes = Object.entries(errorKinds).flatMap(([code, { blame }]) => (blame === "caller" ? [] : [code]));
  expect(codes).toContain("CAPTURE_TIMEOUT");
  expect(loggedErrorCodes).toEqual(expect.arrayContaining(codes));
});
