// The file watcher, and the restart with a new assembly during requests.
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchSourceFiles } from "../../../lib/tools/local/cli/file-watcher.ts";
import { startService } from "../../../lib/tools/local/service.ts";
import { eventually, type TestAssembly, temporaryFolder, writeAssembly } from "./support.ts";

test("restart: replaces the changed functions only, and lets running requests finish", async () => {
  const { service, change } = await start(functions("old", { Gone: answering("gone", "GET /gone") }));
  const get = (path: string) => fetch(`${service.baseUrl}${path}`).then((response) => response.text());
  const before = await get("/same");
  const slow = get("/slow");
  await eventually(() =>
    service.functions.some(({ logicalId, initTimesMs }) => logicalId === "Slow" && initTimesMs.length),
  );

  const changed = await change(functions("new", { Added: answering("added", "GET /added") }));

  expect(changed.sort()).toEqual(["Test-Added", "Test-Gone", "Test-Slow"]);
  expect(await get("/added")).toMatch(/^added/);
  expect(await get("/gone")).toContain("Missing Authentication Token");
  expect(await get("/same")).toBe(before);
  expect(await slow).toMatch(/^old/);
  expect(await get("/slow")).toMatch(/^new/);
});

test("restart: a request to a function without its module waits until the function is replaced", async () => {
  const { service, change } = await start({
    functions: {
      Ready: answering("ready", "GET /ready"),
      Waiting: { ...answering("", "GET /waiting"), source: undefined },
    },
  });
  service.warm();
  let isAnswered = false;
  const waiting = fetch(`${service.baseUrl}/waiting`).then((response) => {
    isAnswered = true;
    return response.text();
  });
  const invoked = service.invoke("Test-Waiting", "{}");
  const waitingCount = () => service.functions.find(({ logicalId }) => logicalId === "Waiting")?.waitingCount;
  await expect.poll(waitingCount).toBe(1);
  expect(await (await fetch(`${service.baseUrl}/ready`)).text()).toMatch(/^ready/);
  expect(isAnswered).toBe(false);

  await change({
    functions: { Ready: answering("ready", "GET /ready"), Waiting: answering("bundled", "GET /waiting") },
  });

  expect(await waiting).toMatch(/^bundled/);
  expect(String((await invoked).payload)).toContain("bundled");
});

test("restart: keeps the old assembly when the new one cannot be read", async () => {
  const { service } = await start({ functions: { Same: answering("same", "GET /same") } });

  await expect(service.restart("/nowhere")).rejects.toThrow("manifest.json cannot be read");

  expect((await fetch(`${service.baseUrl}/same`)).status).toBe(200);
});

test("file watcher: reports changed sources debounced, and without overlapping calls", async () => {
  const project = await temporaryFolder();
  await mkdir(join(project, "lib/deep/node_modules"), { recursive: true });
  const reports: (readonly string[])[] = [];
  let release = () => {};
  const watch = watchSourceFiles({
    project,
    debounceMs: 30,
    onChange: (files) => {
      reports.push(files);
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  });
  onTestFinished(() => watch.close());
  await watch.ready;

  await writeFile(join(project, "lib/one.ts"), "");
  await writeFile(join(project, "lib/deep/two.ts"), "");
  await writeFile(join(project, "lib/deep/node_modules/x.ts"), "");
  await eventually(() => reports.length === 1);
  await writeFile(join(project, "lib/three.ts"), "");
  release();
  await eventually(() => reports.length === 2);

  expect(reports).toEqual([["lib/deep/two.ts", "lib/one.ts"], ["lib/three.ts"]]);
});

test("file watcher: reports each save by an editor that replaces the file", async () => {
  const project = await temporaryFolder();
  await mkdir(join(project, "lib"));
  await writeFile(join(project, "lib/one.ts"), "0");
  let reports = 0;
  const watch = watchSourceFiles({ project, debounceMs: 30, onChange: async () => void reports++ });
  onTestFinished(() => watch.close());
  await watch.ready;

  for (const save of [1, 2, 3]) {
    await writeFile(join(project, "saved"), String(save));
    expect(reports).toBe(save - 1);
    await rename(join(project, "saved"), join(project, "lib/one.ts"));
    await eventually(() => reports === save);
  }
  expect(reports).toBe(3);
});

async function start(assembly: TestAssembly) {
  const folder = await temporaryFolder();
  const write = (each: TestAssembly) => writeAssembly(join(folder, "cdk.out"), each);
  const service = await startService({ assembly: await write(assembly), dataDir: join(folder, "data") });
  onTestFinished(() => service.close());
  return { service, change: async (next: TestAssembly) => service.restart(await write(next)) };
}

function functions(version: string, others: TestAssembly["functions"]): TestAssembly {
  return {
    functions: {
      Same: answering("same", "GET /same"),
      Slow: answering(version, "GET /slow", "await new Promise((resolve) => setTimeout(resolve, 300));"),
      ...others,
    },
  };
}

function answering(text: string, route: string, before = "") {
  const source = `export const handler = async () => { ${before} return { statusCode: 200, body: "${text} " + process.pid }; };`;
  return { routes: [route], source };
}
