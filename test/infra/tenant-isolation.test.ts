// A renderer whose execution environments serve one account each, by Lambda's tenant isolation mode.
import { expect, test } from "vitest";
import { concurrentExecutions } from "../../lib/infra/service-stack.ts";
import { stageConfig } from "../../lib/infra/stages.ts";
import { functionsOf, resources, templatesOf } from "./synthesized.ts";

const isolated = stageConfig("prod");
const { service } = templatesOf(isolated);
const functions = functionsOf(service);

test("tenant isolation: the renderer alone has it, and those that invoke it name a tenant", () => {
  const tenancy = [...functions].filter(([, { Properties }]) => Properties.TenancyConfig !== undefined);
  expect(tenancy.map(([file]) => file)).toEqual(["renderer"]);
  expect(functions.get("renderer")?.Properties.TenancyConfig).toEqual({ TenantIsolationMode: "PER_TENANT" });
  const naming = [...functions].filter(([, fn]) => fn.Properties.Environment?.Variables.TENANT_ISOLATION === "on");
  expect(naming.map(([file]) => file).toSorted()).toEqual([
    "canary",
    "invoice-pdf",
    "mcp",
    "pre-traffic",
    "render",
    "screenshot",
  ]);
});

test("tenant isolation: the template has nothing with which Lambda refuses it", () => {
  const renderer = functions.get("renderer")?.Properties;
  expect(renderer?.SnapStart).toBeUndefined();
  expect(resources(service, "AWS::Lambda::Url")).toEqual([]);
  const aliases = resources(service, "AWS::Lambda::Alias").filter(([id]) => id.startsWith("Renderer"));
  expect(aliases).toHaveLength(1);
  expect(aliases[0]?.[1].Properties.ProvisionedConcurrencyConfig).toBeUndefined();
  const sources = resources(service, "AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties);
  expect(JSON.stringify(sources)).not.toContain("Renderer");
});

test("tenant isolation: a stage can have accounts share a pool of tenants, which all callers of the renderer know", () => {
  const pooled = functionsOf(templatesOf({ ...isolated, tenantPool: 50 }).service);
  const sizes = [...pooled].flatMap(([file, { Properties }]) => {
    const { TENANT_POOL } = Properties.Environment.Variables;
    return TENANT_POOL === undefined ? [] : [[file, TENANT_POOL]];
  });
  expect(sizes.map(([file]) => file).toSorted()).toEqual(["canary", "invoice-pdf", "mcp", "render", "screenshot"]);
  expect(new Set(sizes.map(([, size]) => size))).toEqual(new Set(["50"]));
  expect(pooled.get("renderer")?.Properties.TenancyConfig).toEqual({ TenantIsolationMode: "PER_TENANT" });
  for (const wrong of [{ tenantIsolation: false, tenantPool: 50 }, { tenantPool: 0 }])
    expect(() => templatesOf({ ...isolated, ...wrong })).toThrow('"tenantPool" is a number of tenants from 1 on');
});

test("tenant isolation: it needs a renderer of its own", () => {
  expect(() => templatesOf({ ...stageConfig("dev"), tenantIsolation: true })).toThrow('renderer: "separate"');
});

test("a capture with a renderer of its own takes two executions", () => {
  const { maxConcurrentCaptures, jobConcurrency } = isolated;
  const embedded = { ...isolated, renderer: "embedded", tenantIsolation: false } as const;
  const more = concurrentExecutions(isolated) - concurrentExecutions(embedded);
  expect(more).toBe(maxConcurrentCaptures + jobConcurrency);
});
