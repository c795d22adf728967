// Which files and packages a program needs at run time.
import { expect, test } from "vitest";
import { traceRunTimeFiles } from "../../lib/build/run-time-files.ts";

test("run-time files: those that the programs import, without what only build steps import", async () => {
  const { files, packages } = await traceRunTimeFiles(["bin/local.ts"], ["lib/infra/*"]);
  expect(files).toEqual(expect.arrayContaining(["bin/local.ts", "lib/tools/local/service.ts"]));
  expect(files.filter((file) => file.startsWith("lib/infra/"))).toEqual([]);
  expect(packages).toEqual(expect.arrayContaining(["@aws-sdk/client-dynamodb", "valibot"]));
  expect(packages).not.toEqual(expect.arrayContaining(["node:fs"]));
  expect(packages.filter((name) => /cdk|esbuild|typescript/.test(name))).toEqual([]);
});
