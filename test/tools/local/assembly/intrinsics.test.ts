// CloudFormation's intrinsic functions, known and unknown.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation writes its variables like this
import { expect, test } from "vitest";
import { type IntrinsicScope, resolveIntrinsics } from "../../../../lib/tools/local/assembly/intrinsics.ts";

const scope: IntrinsicScope = {
  ref: (id) => ({ Table: "table-1", "AWS::Region": "eu-west-1", "AWS::NoValue": undefined })[id],
  attribute: (id, name) => `${id}/${name}`,
  importedValue: (name) => `imported ${name}`,
};
const resolve = (value: unknown) => resolveIntrinsics(value, scope, "Stack/Thing (AWS::Some::Thing)");

test.each([
  [{ Ref: "Table" }, "table-1"],
  [{ "Fn::GetAtt": ["Table", "Arn"] }, "Table/Arn"],
  [{ "Fn::GetAtt": "Table.Stream.Arn" }, "Table/Stream.Arn"],
  [{ "Fn::Join": ["-", ["a", { Ref: "Table" }, 3]] }, "a-table-1-3"],
  [{ "Fn::Join": [",", { "Fn::Split": [".", "a.b"] }] }, "a,b"],
  [{ "Fn::Select": ["1", { "Fn::Split": [":", "a:b:c"] }] }, "b"],
  [{ "Fn::ImportValue": { "Fn::Sub": "x-${AWS::Region}" } }, "imported x-eu-west-1"],
  [{ "Fn::Sub": "${Table} ${Table.Arn} ${!Literal}" }, "table-1 Table/Arn ${Literal}"],
  [{ "Fn::Sub": ["${Name}-${Table}", { Name: { Ref: "AWS::Region" } }] }, "eu-west-1-table-1"],
  [{ a: [{ Ref: "Table" }, { Ref: "AWS::NoValue" }], b: { Ref: "AWS::NoValue" } }, { a: ["table-1"] }],
  [{ plain: { Ref: "Table", and: "another key" } }, { plain: { Ref: "Table", and: "another key" } }],
  [null, null],
])("intrinsic functions: %j evaluates to %j", (value, expected) => {
  expect(resolve(value)).toEqual(expected);
});

test("intrinsic functions: the error of an unknown function names it and its resource", () => {
  expect(() => resolve({ list: [{ "Fn::Cidr": ["10.0.0.0/16", 4] }] })).toThrow(
    "Stack/Thing (AWS::Some::Thing): the local runner does not know the intrinsic function Fn::Cidr.",
  );
});

test("intrinsic functions: the error of a function with wrong arguments names the resource", () => {
  expect(() => resolve({ "Fn::Join": ["", [{ "Fn::Select": [5, ["a"]] }]] })).toThrow(
    "Stack/Thing (AWS::Some::Thing): Fn::Select has no element 5.",
  );
});
