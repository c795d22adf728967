// The TypeScript client as customers get it: the served package, installed by npm.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installClient } from "../../../support/client-package.ts";
import { testClient } from "./test-client.ts";

const source = join(import.meta.dirname, "../../../../clients/typescript/tests/behaviour-driver.ts");

testClient({
  language: "TypeScript",
  missing: undefined,
  async install(parent) {
    const { folder } = await installClient(parent);
    const driver = join(folder, "driver.mts");
    writeFileSync(driver, readFileSync(source, "utf8").replace('"../src/index.ts"', '"screen-capture-client"'));
    return [process.execPath, driver];
  },
});
