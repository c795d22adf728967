// The local service end to end: small functions in real sandboxes behind the real HTTP server.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation writes its variables like this
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProcesses } from "../../../lib/tools/local/child-process.ts";
import type { FunctionInvocation } from "../../../lib/tools/local/lambda/functions.ts";
import { startService } from "../../../lib/tools/local/service.ts";
import { sampled } from "../../support/slow-run.ts";
import { eventually, isRunning, serve, temporaryFolder, writeAssembly } from "./support.ts";

test("local service: sends the response that a function returns", async () => {
  const service = await serve({
    functions: {
      Items: {
        routes: ["GET /items/{id}"],
        source: `export const handler = async (event) => ({
          statusCode: 201,
          headers: { "X-One": "1" },
          multiValueHeaders: { "Set-Cookie": ["a=1", "b=2"] },
          body: JSON.stringify({ id: event.pathParameters.id, query: event.multiValueQueryStringParameters }),
        });`,
      },
    },
  });

  const response = await fetch(`${service.baseUrl}/items/7?a=1&a=%C3%A4+b`);

  expect(response.status).toBe(201);
  expect(response.headers.get("x-one")).toBe("1");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual({ id: "7", query: { a: ["1", "ä b"] } });
});

test("local service: passes body and headers to the function, and sets the environment variables of Lambda", async () => {
  const service = await serve({
    functions: {
      Echo: {
        routes: ["POST /"],
        source: `export const handler = async (event, context) => ({
          statusCode: 200,
          body: JSON.stringify({ body: event.body, type: event.headers["X-Type"], ip: event.requestContext.identity.sourceIp,
            name: context.functionName, env: process.env.PLACE, home: process.env.HOME === process.env.TMPDIR,
            shell: process.env.USER_SHELL_VARIABLE ?? null }),
        });`,
        properties: { FunctionName: "echo", Environment: { Variables: { PLACE: { Ref: "AWS::Region" } } } },
      },
    },
  });
  process.env["USER_SHELL_VARIABLE"] = "not for functions";

  const response = await fetch(service.baseUrl, { method: "POST", body: "grüße", headers: { "X-Type": "t" } });

  expect(await response.json()).toEqual({
    body: "grüße",
    type: "t",
    ip: "127.0.0.1",
    name: "echo",
    env: "us-east-1",
    home: true,
    shell: null,
  });
});

test("local service: overrides environment variables of the template", async () => {
  const service = await serve(
    {
      functions: {
        Show: {
          routes: ["GET /"],
          source: `export const handler = async () => ({ statusCode: 200, body: process.env.BASE_URL + " " + process.env.AWS_ENDPOINT_URL });`,
          properties: { Environment: { Variables: { BASE_URL: "from the template" } } },
        },
      },
    },
    { environment: ({ baseUrl, endpoints }) => ({ BASE_URL: `${baseUrl} ${endpoints.s3}` }) },
  );

  const response = await fetch(service.baseUrl);

  const [baseUrl, ...endpoints] = (await response.text()).split(" ");
  expect(baseUrl).toBe(service.baseUrl);
  expect(new Set(endpoints).size).toBe(1); // one for all services of AWS, where calls are judged
  expect(endpoints).not.toContain(service.endpoints.s3);
});

test("local service: replaces API Gateway's address with its own", async () => {
  const address = { "Fn::Sub": "https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}/live" };
  const service = await serve({ outputs: { BaseUrl: { Value: address } } });

  expect(service.outputs).toEqual({ BaseUrl: service.baseUrl });
});

test("local service: sends the gateway response of the template, or API Gateway's own, when no route matches", async () => {
  const plain = await serve({});
  const worded = await serve({
    resources: {
      Words: {
        Type: "AWS::ApiGateway::GatewayResponse",
        Properties: {
          ResponseType: "DEFAULT_4XX",
          StatusCode: "404",
          ResponseParameters: { "gatewayresponse.header.X-Note": "'hello'" },
          ResponseTemplates: { "application/json": '{"error":$context.error.messageString}' },
        },
      },
    },
  });

  const [first, second] = await Promise.all([fetch(`${plain.baseUrl}/x`), fetch(`${worded.baseUrl}/x`)]);

  expect([first.status, await first.json()]).toEqual([403, { message: "Missing Authentication Token" }]);
  expect([second.status, await second.json()]).toEqual([404, { error: "Missing Authentication Token" }]);
  expect(second.headers.get("x-note")).toBe("hello");
});

test("local service: responds to HEAD without a body and with the Content-Length of the function", async () => {
  const service = await serve({
    functions: {
      File: {
        routes: ["HEAD /file"],
        source: `export const handler = async () => ({ statusCode: 200, headers: { "Content-Length": "1234" }, body: "" });`,
      },
    },
  });

  const response = await fetch(`${service.baseUrl}/file`, { method: "HEAD" });

  expect([response.status, response.headers.get("content-length")]).toEqual([200, "1234"]);
});

const failing = {
  throws: `export const handler = async () => { throw new Error("no"); };`,
  exits: `export const handler = async () => process.exit(3);`,
  "answers something malformed": `export const handler = async () => "text";`,
  "answers with more than 6 MB": `export const handler = async () => ({ statusCode: 200, body: "x".repeat(7_000_000) });`,
  "cannot be loaded": `throw new Error("at import"); export const handler = 1;`,
  "has no handler": `export const other = 1;`,
};

test("local service: responds 502 when a function fails, each time, regardless of the failure", async () => {
  const functions = Object.entries(failing).map(([, source], index) => [
    `Fails${index}`,
    { routes: [`GET /${index}`], source },
  ]);
  const service = await serve({ functions: Object.fromEntries(functions) });

  const answers = Object.keys(failing).map(async (what, index) => {
    const statuses: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      const response = await fetch(`${service.baseUrl}/${index}`);
      statuses.push([response.status, await response.json()]);
    }
    return [what, statuses];
  });

  const refusal = [502, { message: "Internal server error" }];
  expect(Object.fromEntries(await Promise.all(answers))).toEqual(
    Object.fromEntries(Object.keys(failing).map((what) => [what, [refusal, refusal]])),
  );
});

test("local service: kills a function that times out, and starts another sandbox for the next request", async () => {
  const lines: string[] = [];
  const service = await serve(
    {
      functions: {
        Hangs: {
          routes: ["GET /{how}"],
          source: `export const handler = async ({ pathParameters }) => {
            if (pathParameters.how === "hang") while (true);
            return { statusCode: 200, body: String(process.pid) };
          };`,
          properties: { Timeout: 1 },
        },
      },
    },
    { onLog: (_source, line) => lines.push(line) },
  );

  const first = await fetch(`${service.baseUrl}/quick`);
  const hanging = await fetch(`${service.baseUrl}/hang`);
  const next = await fetch(`${service.baseUrl}/quick`);

  expect([first.status, hanging.status, next.status]).toEqual([200, 502, 200]);
  expect(await next.text()).not.toBe(await first.text());
  expect(lines).toContain("Task timed out after 1.00 seconds");
});

test("local service: starts another sandbox when one exits between two requests", async () => {
  const service = await serve({
    functions: {
      Leaves: {
        routes: ["GET /"],
        source: `export const handler = async () => { setTimeout(() => process.exit(1), 1); return { statusCode: 200, body: "" }; };`,
      },
    },
  });

  const first = await fetch(service.baseUrl);
  await eventually(() => service.functions[0]?.sandboxCount === 0);
  const second = await fetch(service.baseUrl);

  expect([first.status, second.status]).toEqual([200, 200]);
});

test("local service: streams 30 MB with backpressure from the client", async () => {
  const service = await serve({ functions: { Streams: streams("for (let i = 0; i < 480; i++) await write(chunk);") } });

  const response = await fetch(service.baseUrl);
  const body = await response.bytes();

  expect([response.status, response.headers.get("content-type"), response.headers.getSetCookie()]).toEqual([
    200,
    "image/png",
    ["c=1"],
  ]);
  expect(body.length).toBe(480 * 65_536);
  expect(Buffer.alloc(body.length, 7).equals(body)).toBe(true);
});

sampled(test, 2).each([
  ["a stream fails half-way", 'throw new Error("half-way");'],
  ["the process ends in the middle of a stream", "process.exit(1);"],
])("local service: closes the connection when %s", async (_, ending) => {
  const received = join(await temporaryFolder(), "received");
  const service = await serve({
    functions: {
      Ends: streams(`
        await write(chunk);
        while (!fs.existsSync(${JSON.stringify(received)})) await new Promise((resolve) => setTimeout(resolve, 10));
        ${ending}`),
    },
  });

  const response = await fetch(service.baseUrl);
  const reader = response.body?.getReader();
  await reader?.read();
  await writeFile(received, "");

  expect(response.status).toBe(200);
  await expect(
    (async () => {
      while (!(await reader?.read())?.done);
    })(),
  ).rejects.toThrow();
});

test("local service: streams with the bandwidth of Lambda by request", async () => {
  const megabytes = (count: number) => `for (let i = 0; i < ${count * 16}; i++) await write(chunk);`;
  const durationOf = async (options: { throttlesStreams?: boolean }) => {
    const service = await serve({ functions: { Streams: streams(megabytes(8)) } }, options);
    const startedAt = performance.now();
    expect((await (await fetch(service.baseUrl)).bytes()).length).toBe(8 * 2 ** 20);
    return performance.now() - startedAt;
  };

  // 2.4 of 8.4 MB come after the first 6 MB, at 2 MB per second.
  const throttled = await durationOf({ throttlesStreams: true });
  expect(throttled).toBeGreaterThan(1_100);
  await expect.poll(() => durationOf({})).toBeLessThan(throttled); // on a busy machine, not each time
});

test("local service: cuts a streamed response when the function times out", async () => {
  const forever = { ...streams("for (;;) await write(chunk);"), properties: { Timeout: 1 } };
  const service = await serve({ functions: { Streams: forever } }, { throttlesStreams: true });

  const response = await fetch(service.baseUrl);

  expect(response.status).toBe(200);
  await expect(response.bytes()).rejects.toThrow();
});

test("local service: responds 502 when a stream fails before its body begins", async () => {
  const service = await serve({ functions: { Fails: streams(`throw new Error("at once");`) } });

  const response = await fetch(service.baseUrl);

  expect(response.status).toBe(502);
});

test("local service: lets the function continue when the client disconnects", async () => {
  const lines: string[] = [];
  const service = await serve(
    {
      functions: {
        Streams: streams(`for (let i = 0; i < 480; i++) await write(chunk); console.log("got to the end");`),
      },
    },
    { onLog: (_source, line) => lines.push(line) },
  );

  const leaving = new AbortController();
  const response = await fetch(service.baseUrl, { signal: leaving.signal });
  await response.body?.getReader().read();
  leaving.abort();

  await eventually(() => lines.some((line) => line.includes("got to the end")));
  expect((await fetch(service.baseUrl)).status).toBe(200);
});

test("local service: rejects a request that exceeds the payload limit of Lambda", async () => {
  const source = `export const handler = async ({ body }) => ({ statusCode: 200, body: String(body.length) });`;
  const service = await serve({ functions: { Counts: { routes: ["POST /"], source } } });
  const post = (megabytes: number) =>
    fetch(service.baseUrl, { method: "POST", body: "x".repeat(megabytes * 1_000_000) });

  const statuses = await Promise.all([post(5), post(7), post(11)].map(async (response) => (await response).status));

  expect(statuses).toEqual([200, 413, 413]);
});

test("local service: runs requests concurrently up to the maximum, and queues the others", async () => {
  const service = await serve(
    {
      functions: {
        Slow: {
          routes: ["GET /"],
          source: `let running = 0;
          export const handler = async () => {
            running++;
            await new Promise((resolve) => setTimeout(resolve, 1000));
            return { statusCode: 200, body: JSON.stringify({ pid: process.pid, running: running-- }) };
          };`,
        },
      },
    },
    { maxSandboxes: 3 },
  );

  const answers = await Promise.all(Array.from({ length: 9 }, () => fetch(service.baseUrl).then((r) => r.json())));

  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(3);
  expect(answers.every(({ running }) => running === 1)).toBe(true);
  expect(service.functions[0]?.sandboxCount).toBe(3);
  expect(service.functions[0]?.initTimesMs).toHaveLength(3);
});

test("local service: reports the billed duration of an invocation, including work after the response", async () => {
  const invocations: FunctionInvocation[] = [];
  const source = `export const handler = awslambda.streamifyResponse(async (event, stream) => {
    const answer = awslambda.HttpResponseStream.from(stream, { statusCode: 200 });
    answer.write("early");
    answer.end();
    await new Promise((resolve) => setTimeout(resolve, 300));
  });`;
  const service = await serve(
    { functions: { Slow: { routes: ["GET /"], streams: true, source } } },
    { onInvocation: (invocation) => invocations.push(invocation) },
  );

  const body = await (await fetch(service.baseUrl)).text();
  const atOnce = [...invocations];
  const invocation = await eventually(() => invocations[0]);

  expect([body, atOnce, invocation.logicalId]).toEqual(["early", [], "Slow"]);
  expect(invocation.milliseconds).toBeGreaterThan(290);
});

test("local service: reuses an idle sandbox", async () => {
  const source = `let count = 0; export const handler = async () => ({ statusCode: 200, body: String(++count) });`;
  const service = await serve({ functions: { Counts: { routes: ["GET /"], source } } });

  const bodies = [];
  for (let time = 0; time < 3; time++) bodies.push(await fetch(service.baseUrl).then((response) => response.text()));

  expect(bodies).toEqual(["1", "2", "3"]);
});

test("local service: kills all processes that a function has started, including detached ones", async () => {
  const spawns = (options: string) =>
    `spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", process.env.TMPDIR], { stdio: "ignore", ${options} }).pid`;
  const service = await serve({
    functions: {
      Spawns: {
        routes: ["GET /"],
        source: `import { spawn } from "node:child_process";
        export const handler = async () => ({ statusCode: 200, body: JSON.stringify([
          ${spawns("")}, ${spawns("detached: true")}, ${spawns("detached: true, env: {}")}]) });`,
      },
    },
  });
  const pids: number[] = await fetch(service.baseUrl).then((response) => response.json());
  expect(pids.map(isRunning)).toEqual([true, true, true]);

  await service.close();

  expect(pids.map(isRunning)).toEqual([false, false, false]);
});

test("local service: kills the detached children of a function whose process exits", async () => {
  const service = await serve({
    functions: {
      Spawns: {
        routes: ["GET /"],
        source: `import { spawn } from "node:child_process";
        export const handler = async () => {
          const { pid } = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
          setTimeout(() => process.exit(1), 1);
          return { statusCode: 200, body: String(pid) };
        };`,
      },
    },
  });

  const pid = Number(await fetch(service.baseUrl).then((response) => response.text()));

  expect(isRunning(process.pid)).toBe(true);
  await eventually(() => !isRunning(pid));
  expect(isRunning(pid)).toBe(false);
});

test("local service: leaves no process, no open port and no temporary file when it is closed during a request", async () => {
  const folder = await temporaryFolder();
  const dataDir = join(folder, "data");
  const source = `export const handler = async () => { await new Promise((resolve) => setTimeout(resolve, 8_000)); };`;
  const assembly = await writeAssembly(join(folder, "cdk.out"), { functions: { Slow: { routes: ["GET /"], source } } });
  const service = await startService({ assembly, dataDir });
  const request = fetch(service.baseUrl).catch((error) => error);
  await eventually(() => service.functions[0]?.initTimesMs.length === 1);
  expect(findProcesses({ folder: dataDir }).length).toBe(3); // two engines and a sandbox

  await service.close();

  await request;
  expect(findProcesses({ folder: dataDir })).toEqual([]);
  expect((await readdir(dataDir)).sort()).toEqual(["data", "logs"]);
  await expect(fetch(service.baseUrl)).rejects.toThrow();
  await expect(fetch(service.endpoints.dynamodb)).rejects.toThrow();
});

/** A streaming function with a chunk of 64 KB and a `write` that respects backpressure. */
function streams(body: string) {
  return {
    routes: ["GET /"],
    streams: true,
    source: `import { once } from "node:events";
      import fs from "node:fs";
      const chunk = Buffer.alloc(65_536, 7);
      export const handler = awslambda.streamifyResponse(async (event, responseStream) => {
        const out = awslambda.HttpResponseStream.from(responseStream, {
          statusCode: 200, headers: { "Content-Type": "image/png" }, cookies: ["c=1"] });
        const write = async (data) => { if (!out.write(data)) await once(out, "drain"); };
        ${body}
        out.end();
      });`,
  };
}
