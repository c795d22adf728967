// A function that answers what it was told, what it reads late, and what Node has loaded for it that takes long.
import { Agent } from "node:http";
import { rootCertificates } from "node:tls";

declare const TOLD: string;

export const agent = new Agent();
export const certificates = () => rootCertificates;

export async function handler(): Promise<string> {
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
  const slow = moduleLoadList.filter((name) => name.includes("undici/undici"));
  const { later } = await import("./later.ts");
  return [TOLD, later, ...slow].join(", ");
}
