// The local service end to end: small functions in real sandboxes behind the real HTTP server.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation writes its variables like this
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { findProcesses } from "../../../lib/tools/local/child-process.ts";
import type { FunctionInvocation } from "../../../lib/tools/local/lambda/functions.ts";
import { type Service, startService } from "../../../lib/tools/local/service.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
import { eventually, isRunning, serve, type TestFunction, temporaryFolder, writeAssembly } from "./support.ts";

/** The service of all tests that need no settings of their own, with the functions of each. */
let service: Service;
const lines: string[] = [];
const invocations: FunctionInvocation[] = [];
/** The same with the bandwidth of Lambda. */
let throttled: Service;

const cleanups: (() => unknown)[] = [];
const atEnd = {
  onTestFinished: ((cleanup: () => unknown) => void cleanups.push(cleanup)) as TestContext["onTestFinished"],
};
beforeAll(async () => {
  process.env["USER_SHELL_VARIABLE"] = "not for functions";
  const address = { "Fn::Sub": "https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}/live" };
  service = await serve(
    { functions: functions(), outputs: { BaseUrl: { Value: address } } },
    {
      maxSandboxes: 50,
      environment: ({ baseUrl, endpoints }) => ({ BASE_URL: `${baseUrl} ${endpoints.s3}` }),
      onLog: (_source, line) => lines.push(line),
      onInvocation: (invocation) => invocations.push(invocation),
    },
    atEnd,
  );
  const forever = { ...streams(["GET /forever"], "for (;;) await write(chunk);"), properties: { Timeout: 1 } };
  throttled = await serve(
    {
      functions: {
        Streams: streams(["GET /8-megabytes"], "for (let i = 0; i < 128; i++) await write(chunk);"),
        Forever: forever,
      },
    },
    { throttlesStreams: true },
    atEnd,
  );
});
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

const failing = {
  throws: `export const handler = async () => { throw new Error("no"); };`,
  exits: `export const handler = async () => process.exit(3);`,
  "answers something malformed": `export const handler = async () => "text";`,
  "answers with more than 6 MB": `export const handler = async () => ({ statusCode: 200, body: "x".repeat(7_000_000) });`,
  "cannot be loaded": `throw new Error("at import"); export const handler = 1;`,
  "has no handler": `export const other = 1;`,
};

/** Ends of a stream whose first bytes the client has, each with a route. */
const endings = [
  ["a stream fails half-way", "/fails-half-way", 'throw new Error("half-way");'],
  ["the process ends in the middle of a stream", "/exits-half-way", "process.exit(1);"],
] as const;

function functions(): Readonly<Record<string, TestFunction>> {
  return {
    Answers: {
      routes: ["GET /items/{id}", "POST /echo", "GET /addresses", "HEAD /file", "POST /length", "GET /count"],
      source: `let count = 0;
      const answers = {
        "/items/{id}": (event) => ({
          statusCode: 201,
          headers: { "X-One": "1" },
          multiValueHeaders: { "Set-Cookie": ["a=1", "b=2"] },
          body: JSON.stringify({ id: event.pathParameters.id, query: event.multiValueQueryStringParameters }),
        }),
        "/echo": (event, context) => ({
          statusCode: 200,
          body: JSON.stringify({ body: event.body, type: event.headers["X-Type"], ip: event.requestContext.identity.sourceIp,
            name: context.functionName, env: process.env.PLACE, home: process.env.HOME === process.env.TMPDIR,
            shell: process.env.USER_SHELL_VARIABLE ?? null }),
        }),
        "/addresses": () => ({ statusCode: 200, body: process.env.BASE_URL + " " + process.env.AWS_ENDPOINT_URL }),
        "/file": () => ({ statusCode: 200, headers: { "Content-Length": "1234" }, body: "" }),
        "/length": ({ body }) => ({ statusCode: 200, body: String(body.length) }),
        "/count": () => ({ statusCode: 200, body: String(++count) }),
      };
      export const handler = async (event, context) => answers[event.resource](event, context);`,
      properties: {
        FunctionName: "answers",
        Environment: { Variables: { PLACE: { Ref: "AWS::Region" }, BASE_URL: "from the template" } },
      },
    },
    ...Object.fromEntries(
      Object.values(failing).map((source, index) => [`Fails${index}`, { routes: [`GET /failing/${index}`], source }]),
    ),
    Hangs: {
      routes: ["GET /once/{how}"],
      source: `export const handler = async ({ pathParameters }) => {
        if (pathParameters.how === "hang") while (true);
        return { statusCode: 200, body: String(process.pid) };
      };`,
      properties: { Timeout: 1 },
    },
    Leaves: {
      routes: ["GET /leaves"],
      source: `export const handler = async () => { setTimeout(() => process.exit(1), 1); return { statusCode: 200, body: "" }; };`,
    },
    Streams: streams(
      ["GET /30-megabytes", "GET /8-megabytes", "GET /abandoned", "GET /fails-at-once"],
      `if (event.path === "/fails-at-once") throw new Error("at once");
      for (let i = 0; i < (event.path === "/8-megabytes" ? 128 : 480); i++) await write(chunk);
      if (event.path === "/abandoned") console.log("got to the end");`,
    ),
    ...Object.fromEntries(
      endings.map(([, path, ending], index) => [
        `Ends${index}`,
        streams(
          [`GET ${path}`],
          `await write(chunk);
          const { received } = event.queryStringParameters;
          while (!fs.existsSync(received)) await new Promise((resolve) => setTimeout(resolve, 10));
          ${ending}`,
        ),
      ]),
    ),
    Early: {
      routes: ["GET /early"],
      streams: true,
      source: `export const handler = awslambda.streamifyResponse(async (event, stream) => {
        const answer = awslambda.HttpResponseStream.from(stream, { statusCode: 200 });
        answer.write("early");
        answer.end();
        await new Promise((resolve) => setTimeout(resolve, 300));
      });`,
    },
    Spawns: {
      routes: ["GET /spawns"],
      source: `import { spawn } from "node:child_process";
      export const handler = async () => {
        const { pid } = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
        setTimeout(() => process.exit(1), 1);
        return { statusCode: 200, body: String(pid) };
      };`,
    },
  };
}

test("local service: sends the response that a function returns", async () => {
  const response = await fetch(`${service.baseUrl}/items/7?a=1&a=%C3%A4+b`);

  expect(response.status).toBe(201);
  expect(response.headers.get("x-one")).toBe("1");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual({ id: "7", query: { a: ["1", "ä b"] } });
});

test("local service: passes body and headers to the function, and sets the environment variables of Lambda", async () => {
  const response = await fetch(`${service.baseUrl}/echo`, {
    method: "POST",
    body: "grüße",
    headers: { "X-Type": "t" },
  });

  expect(await response.json()).toEqual({
    body: "grüße",
    type: "t",
    ip: "127.0.0.1",
    name: "answers",
    env: "us-east-1",
    home: true,
    shell: null,
  });
});

test("local service: overrides environment variables of the template", async () => {
  const response = await fetch(`${service.baseUrl}/addresses`);

  const [baseUrl, ...endpoints] = (await response.text()).split(" ");
  expect(baseUrl).toBe(service.baseUrl);
  expect(new Set(endpoints).size).toBe(1); // one for all services of AWS, where calls are judged
  expect(endpoints).not.toContain(service.endpoints.s3);
});

test("local service: replaces API Gateway's address with its own", () => {
  expect(service.outputs).toEqual({ BaseUrl: service.baseUrl });
});

test("local service: sends the gateway response of the template, or API Gateway's own, when no route matches", async () => {
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

  const [first, second] = await Promise.all([fetch(`${service.baseUrl}/x`), fetch(`${worded.baseUrl}/x`)]);

  expect([first.status, await first.json()]).toEqual([403, { message: "Missing Authentication Token" }]);
  expect([second.status, await second.json()]).toEqual([404, { error: "Missing Authentication Token" }]);
  expect(second.headers.get("x-note")).toBe("hello");
});

test("local service: responds to HEAD without a body and with the Content-Length of the function", async () => {
  const response = await fetch(`${service.baseUrl}/file`, { method: "HEAD" });

  expect([response.status, response.headers.get("content-length")]).toEqual([200, "1234"]);
});

test("local service: responds 502 when a function fails, each time, regardless of the failure", async () => {
  const answers = Object.keys(failing).map(async (what, index) => {
    const statuses: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      const response = await fetch(`${service.baseUrl}/failing/${index}`);
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
  const first = await fetch(`${service.baseUrl}/once/quick`);
  const hanging = await fetch(`${service.baseUrl}/once/hang`);
  const next = await fetch(`${service.baseUrl}/once/quick`);

  expect([first.status, hanging.status, next.status]).toEqual([200, 502, 200]);
  expect(await next.text()).not.toBe(await first.text());
  expect(lines).toContain("Task timed out after 1.00 seconds");
});

test("local service: starts another sandbox when one exits between two requests", async () => {
  const sandboxes = () => service.functions.find(({ logicalId }) => logicalId === "Leaves")?.sandboxCount;

  const first = await fetch(`${service.baseUrl}/leaves`);
  await eventually(() => sandboxes() === 0);
  const second = await fetch(`${service.baseUrl}/leaves`);

  expect([first.status, second.status]).toEqual([200, 200]);
});

slowTest("local service: streams 30 MB with backpressure from the client", async () => {
  const response = await fetch(`${service.baseUrl}/30-megabytes`);
  const body = await response.bytes();

  expect([response.status, response.headers.get("content-type"), response.headers.getSetCookie()]).toEqual([
    200,
    "image/png",
    ["c=1"],
  ]);
  expect(body.length).toBe(480 * 65_536);
  expect(Buffer.alloc(body.length, 7).equals(body)).toBe(true);
});

sampled(test, 2).each(endings)("local service: closes the connection when %s", async (_, path) => {
  const received = join(await temporaryFolder(), "received");

  const response = await fetch(`${service.baseUrl}${path}?received=${encodeURIComponent(received)}`);
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
  const durationOf = async ({ baseUrl }: Service) => {
    const startedAt = performance.now();
    expect((await (await fetch(`${baseUrl}/8-megabytes`)).bytes()).length).toBe(8 * 2 ** 20);
    return performance.now() - startedAt;
  };

  // 2.4 of 8.4 MB come after the first 6 MB, at 2 MB per second.
  const duration = await durationOf(throttled);
  expect(duration).toBeGreaterThan(1_100);
  await expect.poll(() => durationOf(service)).toBeLessThan(duration); // on a busy machine, not each time
});

test("local service: cuts a streamed response when the function times out", async () => {
  const response = await fetch(`${throttled.baseUrl}/forever`);

  expect(response.status).toBe(200);
  await expect(response.bytes()).rejects.toThrow();
});

test("local service: responds 502 when a stream fails before its body begins", async () => {
  const response = await fetch(`${service.baseUrl}/fails-at-once`);

  expect(response.status).toBe(502);
});

test("local service: lets the function continue when the client disconnects", async () => {
  const leaving = new AbortController();
  const response = await fetch(`${service.baseUrl}/abandoned`, { signal: leaving.signal });
  await response.body?.getReader().read();
  leaving.abort();

  await eventually(() => lines.some((line) => line.includes("got to the end")));
  expect((await fetch(`${service.baseUrl}/abandoned`)).status).toBe(200);
});

test("local service: rejects a request that exceeds the payload limit of Lambda", async () => {
  const post = (megabytes: number) =>
    fetch(`${service.baseUrl}/length`, { method: "POST", body: "x".repeat(megabytes * 1_000_000) });

  const statuses = await Promise.all([post(5), post(7), post(11)].map(async (response) => (await response).status));

  expect(statuses).toEqual([200, 413, 413]);
});

slowTest("local service: runs requests concurrently up to the maximum, and queues the others", async () => {
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
  const reported = () => invocations.filter(({ logicalId }) => logicalId === "Early");

  const body = await (await fetch(`${service.baseUrl}/early`)).text();
  const atOnce = reported();
  const invocation = await eventually(() => reported()[0]);

  expect([body, atOnce]).toEqual(["early", []]);
  expect(invocation.milliseconds).toBeGreaterThan(290);
});

test("local service: reuses an idle sandbox", async () => {
  const counts: number[] = [];
  for (let time = 0; time < 3; time++)
    counts.push(Number(await fetch(`${service.baseUrl}/count`).then((response) => response.text())));

  const [first = 0] = counts;
  expect(counts).toEqual([first, first + 1, first + 2]);
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
  const pid = Number(await fetch(`${service.baseUrl}/spawns`).then((response) => response.text()));

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
function streams(routes: readonly string[], body: string) {
  return {
    routes,
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
