// Arguments of MCP tools: what is refused, with words that a model can act on, and what reaches the API.
import { expect, test } from "vitest";
import { captureArguments, moreOptions, optionProperties, toolInput } from "../../../lib/service/mcp/tool-input.ts";

const schema = toolInput(
  {
    ...optionProperties("url", "full_page"),
    ...moreOptions,
    format: { type: "string", enum: ["png", "webp"] },
    slices: { type: "boolean" },
    first_slice: { type: "integer", minimum: 1 },
    query: { type: "string" },
  },
  { required: ["query"], fixed: { async: "Use start_capture." } },
);

/** The messages of problems, or the arguments that are accepted. */
function check(value: unknown): unknown {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) throw new Error("The validation must be synchronous.");
  return result.issues?.map(({ message }) => message) ?? ("value" in result ? result.value : undefined);
}

test.each([
  [{ query: "a", fullpage: true }, /^Unknown argument 'fullpage'\. Use: url, full_page, options, /],
  [{ query: "a", dark_mode: true }, /^'dark_mode' is no argument of this tool\. Put it into 'options'\.$/],
  [{}, /^Argument 'query' is missing\.$/],
  [{ query: 5 }, /^Argument 'query' must be text\.$/],
  [{ query: "a", format: "pdf" }, /^Argument 'format' must be one of png, webp\.$/],
  [{ query: "a", options: { format: "pdf" } }, /^Argument 'format' must be one of png, webp\.$/],
  [{ query: "a", slices: "yes" }, /^Argument 'slices' must be true or false\.$/],
  [{ query: "a", first_slice: 0 }, /^Argument 'first_slice' must be a whole number of at least 1\.$/],
  [{ query: "a", options: { async: true } }, /^'async' can't be changed in this tool\. Use start_capture\.$/],
  [{ query: "a", full_page: true, options: { full_page: false } }, /^'full_page' is there twice: /],
  [{ query: "a", options: ["full_page"] }, /^'options' must be an object/],
  [["a"], /^The arguments must be an object\.$/],
])("MCP arguments: %j are refused", (value, message) => {
  expect(check(value)).toEqual([expect.stringMatching(message)]);
});

test("MCP arguments: several problems are sentences of one message", () => {
  expect(check({ dark_mode: true, first_slice: 0 })).toEqual([
    "'dark_mode' is no argument of this tool. Put it into 'options'. Argument 'first_slice' must be a whole number of at " +
      "least 1. Argument 'query' is missing.",
  ]);
});

test("MCP arguments: an argument that stands in 'options' counts, and text is accepted for numbers and switches", () => {
  expect(
    check({ query: "a", slices: "true", first_slice: "2", options: { url: "https://a.example", delay: 1 } }),
  ).toEqual({
    query: "a",
    slices: true,
    first_slice: 2,
    url: "https://a.example",
    options: { delay: 1 },
  });
});

test("MCP arguments: a tool without 'options' refuses them", () => {
  const { validate } = toolInput({ query: { type: "string" } })["~standard"];
  expect(validate({ options: {} })).toEqual({ issues: [{ message: "Unknown argument 'options'. Use: query." }] });
});

test("MCP arguments: the options of a capture are those of the caller, between the defaults and what the tool sets", () => {
  const given = { url: "https://a.example", slices: true, options: { metadata_links: false, delay: 1 } };
  expect(
    captureArguments(given, { defaults: { metadata_links: true, metadata_icon: true }, fixed: { async: false } }),
  ).toEqual({ url: "https://a.example", metadata_links: false, metadata_icon: true, delay: 1, async: false });
});
