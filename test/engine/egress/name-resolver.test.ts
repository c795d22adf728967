// Name resolver: what it answers, what it asks, its bounds, and how it ends.
import { lookup } from "node:dns/promises";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDial } from "../../../lib/engine/egress/egress-dial.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { startEgressProxy } from "../../../lib/engine/egress/egress-proxy.ts";
import { createNameResolver, type NameResolverOptions } from "../../../lib/engine/egress/name-resolver.ts";
import { startSite } from "../../fixtures/site.ts";
import { closing } from "../../support/closing.ts";
import { type NameAnswer, startNameServer } from "../../support/name-server.ts";
import { ask, say, tunnel } from "../../support/proxy-client.ts";

const IPV4 = "93.184.216.34";
const IPV6 = "2606:2800:220:1::1";

/** A resolver that asks a server with these answers, and ends with the test. */
async function resolverOf(
  answers: Readonly<Record<string, NameAnswer | "silent">>,
  options: Partial<NameResolverOptions> = {},
) {
  const server = closing(await startNameServer(answers));
  const end = new AbortController();
  const resolve = createNameResolver({
    signal: end.signal,
    nameServers: [server.hostPort],
    hostsFile: "/no/such/file",
    ...options,
  });
  closing({ close: () => end.abort() });
  return { resolve, server, end };
}

const silentNames = (count: number) => Array.from({ length: count }, (_, index) => `silent-${index}.test`);

describe("name resolver: a name", () => {
  test.each<[string, NameAnswer, readonly string[]]>([
    ["of both families has its IPv4 addresses first", [IPV6, IPV4, "1.1.1.1"], [IPV4, "1.1.1.1", IPV6]],
    ["of IPv4 only has those addresses", [IPV4], [IPV4]],
    ["of IPv6 only has those addresses", [IPV6], [IPV6]],
  ])("%s", async (_, answer, addresses) => {
    const { resolve } = await resolverOf({ "name.test": answer });
    expect(await resolve("name.test")).toEqual(addresses);
  });

  test.each<[string, NameAnswer]>([
    ["that does not exist", "NXDOMAIN"],
    ["without addresses", []],
    ["whose server fails", "SERVFAIL"],
  ])("%s is rejected", async (_, answer) => {
    const { resolve } = await resolverOf({ "name.test": answer });
    await expect(resolve("name.test")).rejects.toThrow();
  });

  test.each(["a..test", `${"a".repeat(64)}.test`])("that is no DNS name is rejected unasked: %s", async (name) => {
    const { resolve, server } = await resolverOf({});
    await expect(resolve(name)).rejects.toThrow();
    expect(server.names()).toEqual([]);
  });

  test("whose server is silent is rejected after the time-out", async () => {
    const { resolve } = await resolverOf({}, { timeoutMs: 50 });
    await expect(resolve("silent.test")).rejects.toThrow();
  });

  test("whose server is silent for one family has the addresses of the other", async () => {
    const { resolve } = await resolverOf({ "half.test": [IPV4], "half.test AAAA": "silent" });
    expect(await resolve("half.test")).toEqual([IPV4]);
  });

  test("is fully qualified: neither a single label nor one with a dot at its end is searched for in a domain", async () => {
    const { resolve, server } = await resolverOf({ intranet: "NXDOMAIN", "name.test": [IPV4] });
    await expect(resolve("intranet")).rejects.toThrow();
    expect(await resolve("name.test.")).toEqual([IPV4]);
    expect(server.names()).toEqual(["intranet", "name.test"]);
  });
});

describe("name resolver: the hosts file", () => {
  const hostsFile = () => join(mkdtempSync(join(tmpdir(), "hosts-")), "hosts");

  test("answers for its names, in any case, with all of their lines", async () => {
    const path = hostsFile();
    writeFileSync(
      path,
      `# names\n127.0.0.1\tlocal one # two\n::1 One.example.\nnonsense three\n\n${IPV4} one.example one\n`,
    );
    const { resolve, server } = await resolverOf({ two: "NXDOMAIN", three: "NXDOMAIN" }, { hostsFile: path });
    expect(await resolve("one")).toEqual(["127.0.0.1", IPV4]);
    expect(await resolve("ONE.example")).toEqual(["::1", IPV4]);
    await expect(resolve("two")).rejects.toThrow();
    await expect(resolve("three")).rejects.toThrow();
    expect(server.names()).toEqual(["two", "three"]);
  });

  test("is read again when it has changed", async () => {
    const path = hostsFile();
    writeFileSync(path, "127.0.0.1 one\n");
    const { resolve } = await resolverOf({}, { hostsFile: path });
    expect(await resolve("one")).toEqual(["127.0.0.1"]);
    writeFileSync(path, "127.0.0.22 one\n");
    expect(await resolve("one")).toEqual(["127.0.0.22"]);
  });
});

describe("name resolver: its bounds", () => {
  test("names in flight are bounded, and the next one starts when one ends", async () => {
    const { resolve, server, end } = await resolverOf({ "good.test": [IPV4] }, { maxInFlight: 3 });
    const pending = silentNames(2).map((name) => resolve(name));
    const good = resolve("good.test");
    const waiting = silentNames(10)
      .slice(2)
      .map((name) => resolve(name));
    expect(await good).toEqual([IPV4]);
    await server.askedFor(4);
    expect(server.names()).toEqual(["silent-0.test", "silent-1.test", "good.test", "silent-2.test"]);

    end.abort();
    const outcomes = await Promise.allSettled([...pending, ...waiting]);

    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    await expect(resolve("good.test")).rejects.toThrow();
    expect(server.names()).toHaveLength(4);
  });

  test("names in all are bounded", async () => {
    const { resolve, server } = await resolverOf(
      { "a.test": [IPV4], "b.test": [IPV4], "c.test": [IPV4] },
      { maxNames: 2 },
    );
    await resolve("a.test");
    await resolve("b.test");
    await expect(resolve("c.test")).rejects.toThrow("more than 2 names");
    expect(server.names()).toEqual(["a.test", "b.test"]);
  });

  test("a capture has at most 64 names in flight and 500 in all", async () => {
    const names = silentNames(600);
    const { resolve, server, end } = await resolverOf({});
    const pending = names.map((name) => resolve(name));
    expect((await Promise.allSettled(pending.slice(500))).map(({ status }) => status)).toEqual(
      names.slice(500).map(() => "rejected"),
    );
    await server.askedFor(64);
    end.abort();
    await Promise.allSettled(pending);
    expect(server.names()).toHaveLength(64);
  });
});

describe("name resolver: names that never resolve", () => {
  test("hold up neither the next capture nor other look-ups of the process, such as the AWS SDK's", async () => {
    const site = closing(await startSite());
    const { port } = new URL(site.origin);
    const server = closing(await startNameServer({ "good.test": ["127.0.0.1"] }));
    const options = { allowed: parseAllowedOrigins(site.hostPort), nameServers: [server.hostPort] };
    const first = closing(await startEgressProxy(options));
    for (const name of silentNames(150)) await say(first, tunnel(`${name}:443`));
    await server.askedFor(64);

    const next = closing(await startEgressProxy(options));
    expect((await ask(next, `http://good.test:${port}/box`)).status).toBe(200);
    expect((await lookup("localhost")).address).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(server.names()).toHaveLength(65);
  });

  test.each([
    [[IPV4, "127.0.0.1"]],
    [[IPV4, "::1"]],
    [[IPV6, "10.0.0.1"]],
    [["::ffff:127.0.0.1"]],
    [["169.254.169.254"]],
  ])("a name with a bad address is refused: %j", async (answer) => {
    const server = closing(await startNameServer({ "bad.test": answer }));
    const { signal } = new AbortController();
    const dial = createDial({ allowed: parseAllowedOrigins(""), nameServers: [server.hostPort], signal });
    await expect(dial("bad.test", 443)).rejects.toThrow("refused");
  });
});
