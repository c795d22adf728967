// The tenants for which the renderer is invoked: accounts, a pool of them, or none.
import { expect, test } from "vitest";
import { chooseTenant } from "../../../lib/service/rendering/tenant.ts";

const accounts = Array.from({ length: 1_000 }, (_, id) => String(id));
const tenantsOf = (tenancy: Parameters<typeof chooseTenant>[1]) => accounts.map((id) => chooseTenant(id, tenancy));

test("tenants: each account is one, unless the stage has a pool or no isolation", () => {
  expect(tenantsOf({ isolatesTenants: true })).toEqual(accounts);
  expect(new Set(tenantsOf({ isolatesTenants: false, tenantPool: 5 }))).toEqual(new Set([undefined]));
});

test("tenants: accounts are spread over a pool, and an account always has the same tenant of it", () => {
  const pooled = { isolatesTenants: true, tenantPool: 20 };
  const tenants = tenantsOf(pooled);
  expect(tenantsOf(pooled)).toEqual(tenants);
  const sizes = [...Map.groupBy(tenants, (tenant) => tenant).values()].map(({ length }) => length);
  expect(sizes).toHaveLength(20);
  expect(Math.max(...sizes)).toBeLessThan(90); // 50 on average
  expect(tenants.every((tenant) => /^[a-zA-Z0-9._:/=+@ -]{1,256}$/.test(tenant ?? ""))).toBe(true); // as Lambda takes it
});
