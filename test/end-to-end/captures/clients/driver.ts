// The protocol by which a test drives the client of another language: a line of JSON for each call, and one for each answer.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface DriverError {
  readonly kind: "api" | "connection" | "timeout" | "webhook" | "usage";
  readonly message: string;
  readonly class?: string;
  readonly code?: string;
  readonly status?: number;
  readonly retryable?: boolean;
  readonly request_id?: number | string;
  readonly details?: unknown;
  readonly target?: unknown;
  readonly docs?: string;
}

export interface DriverAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: JSON of the API, which the test compares.
  readonly value?: any;
  readonly error?: DriverError;
}

export interface Driver {
  /** Sends a call, and resolves to the answer. Rejects when the program ends before. */
  call(line: object): Promise<DriverAnswer>;
  close(): void;
}

/** Starts a program with these variables of the environment. Calls are answered one after the other. */
export function startDriver(command: readonly string[], environment: Readonly<Record<string, string>>): Driver {
  const [program = "", ...args] = command;
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(program, args, { env: { PATH, HOME, ...environment }, stdio: ["pipe", "pipe", "pipe"] });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const waiting: PromiseWithResolvers<DriverAnswer>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.resolve(JSON.parse(line)));
  const fail = () => {
    for (const each of waiting.splice(0)) each.reject(new Error(`The driver ended: ${complaints}`));
  };
  child.on("error", fail).on("close", fail);
  child.stdin.on("error", fail);
  return {
    call(line) {
      const answer = Promise.withResolvers<DriverAnswer>();
      waiting.push(answer);
      child.stdin.write(`${JSON.stringify(line)}\n`);
      return answer.promise;
    },
    close: () => void child.kill("SIGKILL"),
  };
}
