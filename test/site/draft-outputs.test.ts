// Several results in the draft of the playground: what is added, changed, and removed.
import { expect, test } from "vitest";
import { parseOutputs } from "../../lib/contract/options/outputs.ts";
import { contract } from "../../lib/site/web/playground/contract.ts";
import {
  addOutput,
  draftOutputs,
  optionsOfOutput,
  outputField,
  removeOutput,
  withOutputOption,
} from "../../lib/site/web/playground/draft-outputs.ts";
import {
  type Draft,
  draftFromOptions,
  initialDraft,
  requestOptions,
} from "../../lib/site/web/playground/request-options.ts";

const single: Draft = { ...initialDraft, options: { full_page: true, delay: 2 } };
const add = (draft = single) => addOutput(draft, contract.isOwn);

test("a second result takes the options of one result along, and has another format", () => {
  const draft = add();
  expect(draft.options).toEqual({
    delay: 2,
    outputs: [
      { name: "result-1", full_page: true },
      { name: "result-2", format: "pdf" },
    ],
  });
  expect(() => parseOutputs(requestOptions(draft))).not.toThrow();
  expect(contract.validate(requestOptions(draft))).toEqual({});
});

test("eight results have names and formats of their own", () => {
  let draft = add();
  for (let count = 3; count <= 8; count++) draft = add(draft);
  const outputs = draftOutputs(draft) as readonly { readonly name: string; readonly format?: string }[];
  expect(new Set(outputs.map(({ name }) => name)).size).toBe(8);
  expect(new Set(outputs.map(({ format = "png" }) => format)).size).toBe(8);
  expect(contract.validate(requestOptions(draft))).toEqual({});
});

test("a name that is free is chosen after one was removed", () => {
  const draft = removeOutput(add(add()), 0);
  expect(draftOutputs(add(draft)).map(({ name }) => name)).toEqual(["result-2", "result-3", "result-4"]);
});

test("the last result that remains is a request without outputs", () => {
  expect(removeOutput(add(), 1).options).toEqual(single.options);
  expect(removeOutput(add(), 0).options).toEqual({ delay: 2, format: "pdf" });
});

test("an option of one result changes that result alone", () => {
  const draft = withOutputOption(add(), 1, "pdf_scale", 2);
  expect(draftOutputs(draft)[1]).toEqual({ name: "result-2", format: "pdf", pdf_scale: 2 });
  expect(optionsOfOutput(draft, 1)).toEqual({ delay: 2, format: "pdf", pdf_scale: 2 });
  expect(optionsOfOutput(draft, 0)).toEqual({ delay: 2, full_page: true });
  expect(draftOutputs(withOutputOption(draft, 1, "pdf_scale", undefined))[1]).not.toHaveProperty("pdf_scale");
});

test("a problem names its result and its option", () => {
  const draft = withOutputOption(add(), 1, "full_page", true);
  const [name = ""] = Object.keys(contract.validate(requestOptions(draft)));
  expect(outputField(name)).toEqual({ index: 1, option: "full_page" });
  expect(outputField("full_page")).toBeUndefined();
});

const outputs = [{ name: "a" }, { name: "b", format: "pdf" }];

test.each([
  [outputs, outputs],
  [JSON.stringify(outputs), outputs],
  ["[", undefined],
  ["null", undefined],
  [{ name: "a" }, undefined],
  [[null, { name: "b" }], undefined],
  [[{ name: 1 }], undefined],
  [Array(9).fill({ name: "a" }), undefined],
])("a link with the outputs %j has the list %j", (sent, expected) => {
  expect(draftFromOptions({ url: "https://a.example", outputs: sent }).options).toEqual(
    expected ? { outputs: expected } : {},
  );
});
