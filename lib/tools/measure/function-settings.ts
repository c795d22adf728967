// The billed settings of each function (memory, storage, architecture), from the template.
import { readAssembly } from "../local/assembly/assembly.ts";
import { toConstructId } from "./captures.ts";

export interface FunctionSettings {
  readonly memoryMegabytes: number;
  readonly storageMegabytes: number;
}

/** What Lambda gives where a template says nothing. */
const DEFAULTS: FunctionSettings = { memoryMegabytes: 128, storageMegabytes: 512 };

interface FunctionProperties {
  readonly MemorySize?: number;
  readonly EphemeralStorage?: { readonly Size: number };
}

/** The settings of all functions of an assembly, by the names of their constructs. */
export async function functionSettings(assembly: string): Promise<(construct: string) => FunctionSettings> {
  const settings = new Map<string, FunctionSettings>();
  for (const { template } of await readAssembly(assembly)) {
    for (const [logicalId, { Type, Properties }] of Object.entries(template.Resources ?? {})) {
      if (Type !== "AWS::Lambda::Function") continue;
      const { MemorySize, EphemeralStorage } = (Properties ?? {}) as FunctionProperties;
      settings.set(toConstructId(logicalId), {
        memoryMegabytes: MemorySize ?? DEFAULTS.memoryMegabytes,
        storageMegabytes: EphemeralStorage?.Size ?? DEFAULTS.storageMegabytes,
      });
    }
  }
  return (construct) => {
    const found = settings.get(construct);
    if (!found) throw new Error(`The template has no function ${construct}.`);
    return found;
  };
}
