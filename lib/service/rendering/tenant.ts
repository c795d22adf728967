// The tenant of Lambda's tenant isolation for whom the renderer is invoked: an account, or one of a pool that accounts share.
import { createHash } from "node:crypto";

export interface Tenancy {
  /** Whether the function's sandboxes serve one tenant each. */
  readonly isolatesTenants: boolean;
  /** How many tenants there are; undefined where each account is one. */
  readonly tenantPool?: number | undefined;
}

/** The tenant of an owner, such as an account; undefined where tenants aren't isolated. */
export function chooseTenant(owner: string, { isolatesTenants, tenantPool }: Tenancy): string | undefined {
  if (!isolatesTenants) return undefined;
  if (tenantPool === undefined) return owner;
  const hash = createHash("sha256").update(owner).digest().readUIntBE(0, 6);
  return `pool-${hash % tenantPool}`;
}
