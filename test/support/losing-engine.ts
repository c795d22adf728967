// A DynamoDB engine behind a proxy that commits calls and loses their responses.
import { randomUUID } from "node:crypto";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { startEngineProxy } from "../../lib/tools/local/engines/engine-proxy.ts";
import { spawnDynamoDb } from "../../lib/tools/local/engines/engines.ts";

/**
 * - `closed`: the connection ends in place of the response
 * - `stalled`: nothing comes on the connection any more
 */
export type LostResponse = "closed" | "stalled";

export interface LosingEngine {
  /** Loses the responses of the next `count` calls of an operation, such as `TransactWriteItems`. */
  lose(how: LostResponse, operation: string, count: number): void;
  /** How many calls of an operation arrived. */
  calls(operation: string): number;
  close(): Promise<void>;
}

/** Starts both, and points this process's AWS clients at the proxy. Once per test file; see `startTables`. */
export async function startLosingEngine(): Promise<LosingEngine> {
  const engine = await spawnDynamoDb({ runFolder: randomUUID(), onLog: () => {} });
  const arrived: string[] = [];
  let next = { how: "closed" as LostResponse, operation: "", count: 0 };
  const proxy = await startEngineProxy((call, response, forward) => {
    const operation = String(call.headers["x-amz-target"]).split(".")[1] ?? "";
    arrived.push(operation);
    const isLost = operation === next.operation && next.count-- > 0;
    const upstream = forward(call).once("response", (answer) => {
      if (!isLost) answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
      else answer.resume().once("end", () => next.how === "closed" && call.socket.destroy());
    });
    call.pipe(upstream);
  });
  proxy.leadTo(await engine.endpoint);
  useLocalData({ dynamodb: proxy.endpoint });
  return {
    lose(how, operation, count) {
      next = { how, operation, count };
      arrived.length = 0;
    },
    calls: (operation) => arrived.filter((each) => each === operation).length,
    close: async () => void (await Promise.all([proxy.close(), engine.stop()])),
  };
}
