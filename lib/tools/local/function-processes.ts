// The processes of a local service by what they run: functions, or databases and browsers.
import { findProcesses } from "./child-process.ts";
import { readEnvironment } from "./proc.ts";

export interface FunctionProcess {
  readonly pid: number;
  /** Of its function. */
  readonly name: string;
  /** Its temporary folder. */
  readonly folder: string;
  readonly memoryMegabytes: number;
}

/**
 * Every process that runs a function of the service whose data lie in `dataDir`. Their environment can be read only in a service with
 * `PROCESS_ACCESS=open`.
 */
export function functionProcesses(dataDir: string): FunctionProcess[] {
  return findProcesses({ folder: dataDir }).flatMap((pid) => {
    const variables = readEnvironment(pid);
    const [name, folder] = [variables.get("AWS_LAMBDA_FUNCTION_NAME"), variables.get("TMPDIR")];
    if (name === undefined || !folder?.startsWith(`${dataDir}/`)) return [];
    return [{ pid, name, folder, memoryMegabytes: Number(variables.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")) }];
  });
}

/** The processes of the service that run no function, such as its databases and browsers. */
export function otherProcesses(dataDir: string): number[] {
  const functions = new Set(functionProcesses(dataDir).map(({ pid }) => pid));
  return findProcesses({ folder: dataDir }).filter((pid) => !functions.has(pid));
}
