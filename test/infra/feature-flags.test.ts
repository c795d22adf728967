// The feature flags of cdk.json against those that CDK recommends.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import cdkJson from "../../cdk.json" with { type: "json" };

const recommended = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve("aws-cdk-lib/recommended-feature-flags.json"), "utf8"),
);

/** Flags that differ intentionally. */
const exceptions = {
  // A weak reference would let the stack with the tables be deleted under the functions that use them.
  "@aws-cdk/core:defaultCrossStackReferences": "strong",
  // No usage data of our builds is sent.
  "@aws-cdk/core:enableAdditionalMetadataCollection": false,
};

test("feature flags: every recommended flag is set, apart from the exceptions", () => {
  expect(cdkJson.context).toEqual({ ...recommended, ...exceptions });
});
