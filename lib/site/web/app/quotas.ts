// The quotas of an account or invoice as a list.
import type { Account } from "../../../../clients/typescript/src/generated/types.ts";

export interface NamedQuota {
  readonly name: string;
  readonly limit: number;
  readonly used: number;
}

/** With names as a person reads them, such as `Screenshots`. */
export function listQuotas(quotas: Account["quotas"]): NamedQuota[] {
  return Object.entries(quotas).flatMap(([name, quota]) =>
    quota ? [{ name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, limit: quota.limit, used: quota.used }] : [],
  );
}
