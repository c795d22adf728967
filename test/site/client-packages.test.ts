// The packages of the clients: the same sources give the same bytes, and names follow from the version.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import client from "../../clients/typescript/package.json" with { type: "json" };
import { gemName, gemVersion, WHEEL_PATH, wheelName } from "../../lib/site/client-packages/client-paths.ts";
import { composerPackage } from "../../lib/site/client-packages/composer-package.ts";
import { goModuleProxy, goModuleZip } from "../../lib/site/client-packages/go-module.ts";
import { javaSources } from "../../lib/site/client-packages/java-sources.ts";
import { npmTarball } from "../../lib/site/client-packages/npm-tarball.ts";
import { pythonWheel } from "../../lib/site/client-packages/python-wheel.ts";
import { rubyGem } from "../../lib/site/client-packages/ruby-gem.ts";
import { rubyMarshal } from "../../lib/site/client-packages/ruby-marshal.ts";
import service from "../../package.json" with { type: "json" };

test("client packages: two builds have the same bytes", async () => {
  const [first, second] = await Promise.all([npmTarball(), npmTarball()]);
  expect(first.equals(second)).toBe(true);
  expect(Buffer.from(pythonWheel().content).equals(pythonWheel().content)).toBe(true);
  expect(goModuleProxy()).toEqual(goModuleProxy());
  expect((await javaSources()).equals(await javaSources())).toBe(true);
  expect(Buffer.from(composerPackage().content).equals(composerPackage().content)).toBe(true);
  expect(await rubyGem()).toEqual(await rubyGem());
});

test("client packages: all have the version of the service, under which the website serves the wheel", () => {
  expect(client.version).toBe(service.version);
  expect(WHEEL_PATH).toBe(`/${pythonWheel().name}`);
  expect(pythonWheel().name).toBe(wheelName(service.version));
  expect(Object.keys(JSON.parse(composerPackage().index).packages["screen-capture/client"])).toEqual([service.version]);
  expect(gemVersion("1.2.0-rc.1")).toBe("1.2.0.rc.1");
});

test("client packages: the tarball has the code, its types, and the command, and no sources", async () => {
  const text = gunzipSync(await npmTarball()).toString("latin1");
  for (const file of ["package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "dist/cli/main.js"]) {
    expect(text).toContain(`package/${file}`);
  }
  expect(text).not.toMatch(/package\/[\w/.-]+(?<!\.d)\.ts\0/);
});

test("client packages: the wheel records the hash and the size of each of its files", () => {
  const files = unzipSync(pythonWheel().content);
  const info = Object.keys(files).find((name) => name.endsWith("/RECORD")) ?? "";
  const lines = strFromU8(files[info] ?? new Uint8Array())
    .trim()
    .split("\n");
  const expected = Object.entries(files).map(([name, content]) => {
    const hash = createHash("sha256").update(content).digest("base64url");
    return name === info ? `${name},,` : `${name},sha256=${hash},${content.length}`;
  });
  expect(lines).toEqual(expected);
  expect(files["screen_capture_client/py.typed"]).toHaveLength(0);
  const metadata = strFromU8(files[info.replace("RECORD", "METADATA")] ?? new Uint8Array());
  expect(metadata).toMatch(/^Metadata-Version: 2\.1\nName: screen-capture-client\nVersion: \d/);
});

test("client packages: the module proxy of Go answers with one version, whose sources are all of the module and no tests", () => {
  const module = "/go/screencapture.internal/client";
  const answers = Object.fromEntries(goModuleProxy().map(({ path, content }) => [path, content]));
  const version = `v${service.version}`;
  expect(Object.keys(answers)).toEqual([
    `${module}/@v/list`,
    `${module}/@v/${version}.info`,
    `${module}/@latest`,
    `${module}/@v/${version}.mod`,
    `${module}/@v/${version}.zip`,
  ]);
  expect(strFromU8(answers[`${module}/@v/list`] ?? new Uint8Array())).toBe(`${version}\n`);
  const files = unzipSync(answers[`${module}/@v/${version}.zip`] ?? new Uint8Array());
  const names = Object.keys(files).map((name) => name.replace(`screencapture.internal/client@${version}/`, ""));
  expect(names).toEqual(expect.arrayContaining(["go.mod", "LICENSE", "client.go", "options.go", "version.go"]));
  expect(names.filter((name) => name.includes("/"))).toEqual([]);
});

test("client packages: the sources of the Java client are one folder with a pom.xml of this version", async () => {
  const text = gunzipSync(await javaSources()).toString("latin1");
  for (const file of ["pom.xml", "LICENSE", "src/main/java/screencapture/ScreenCapture.java"]) {
    expect(text).toContain(`screen-capture-client/${file}`);
  }
  expect(text).toContain(`<version>${service.version}</version>`);
  expect(text).not.toContain("BehaviourDriver");
});

test("client packages: those of Go and Java are smaller than 80 kB", async () => {
  const packages = [goModuleZip(), await javaSources()];
  expect(Math.max(...packages.map(({ length }) => length))).toBeLessThan(80_000);
});

test("client packages: the Composer repository has the zip file with its hash", () => {
  const { content, index } = composerPackage();
  const { dist, autoload } = JSON.parse(index).packages["screen-capture/client"][service.version];
  expect(dist.shasum).toBe(createHash("sha1").update(content).digest("hex"));
  expect(autoload).toEqual({ "psr-4": { "ScreenCapture\\": "src/" } });
  const names = Object.keys(unzipSync(content));
  expect(names).toEqual(expect.arrayContaining(["composer.json", "LICENSE", "src/Client.php", "src/Types.php"]));
  expect(names.filter((name) => name.startsWith("tests/"))).toEqual([]);
});

test("client packages: the source of gems lists the gem, as Marshal of Ruby", async () => {
  const files = new Map((await rubyGem()).map(({ path, content }) => [path, content]));
  expect([...files.keys()]).toContain(`gems/${gemName(service.version)}.gem`);
  const index = gunzipSync(files.get("specs.4.8.gz") ?? new Uint8Array());
  expect(index.toString("latin1")).toContain(`screen_capture_client\x06:\x06ETU:\x11Gem::Version[\x06I"`);
  // What Marshal.dump of Ruby gives.
  const dumped = rubyMarshal([null, true, 0, 122, 123, 300, "é", new Map(), { class: "A", data: [] }]).toString("hex");
  expect(dumped).toBe("04085b0e30546900697f69017b69022c01492207c3a9063a0645547b00553a06415b00");
});

describe("client packages: the name of a wheel", () => {
  test.each([
    ["1.2.0", "screen_capture_client-1.2.0-py3-none-any.whl"],
    ["1.2.0-rc.1", "screen_capture_client-1.2.0rc1-py3-none-any.whl"],
    ["1.2.0-alpha.3", "screen_capture_client-1.2.0a3-py3-none-any.whl"],
  ])("of %s is %s", (version, name) => {
    expect(wheelName(version)).toBe(name);
  });

  test("of a version that Python doesn't know is none", () => {
    expect(() => wheelName("1.2.0-next")).toThrow("Python has no version like 1.2.0-next.");
  });
});

test("client packages: the documentation names the wheel of this version", () => {
  const project = join(import.meta.dirname, "../..");
  for (const page of ["README.md", "docs/guide/python.md"]) {
    expect(readFileSync(join(project, page), "utf8")).toContain(`pip install http://127.0.0.1:3000${WHEEL_PATH}`);
  }
});
