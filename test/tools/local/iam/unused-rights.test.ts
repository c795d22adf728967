// The list of the rights that no end-to-end test uses.
import { expect, test } from "vitest";
import { compareRights } from "../../../support/unused-rights.ts";

const list = `# Failures
Api s3:DeleteObject Results/options/*

# A matter of time
? Render dynamodb:UpdateItem Activity FLIGHTS#*
`;

test("unused rights: those of the list are fine, whether or not those by chance are used", () => {
  const certain = "Api s3:DeleteObject Results/options/*";
  expect(compareRights([certain], list)).toEqual([]);
  expect(compareRights([certain, "Render dynamodb:UpdateItem Activity FLIGHTS#*"], list)).toEqual([]);
});

test("unused rights: names one that is not in the list, and one of the list that is used", () => {
  expect(compareRights(["Api sqs:SendMessage Jobs"], list)).toEqual([
    "No test uses this right. Remove it, or list it: Api sqs:SendMessage Jobs",
    "A test uses this right. Unlist it: Api s3:DeleteObject Results/options/*",
  ]);
});
