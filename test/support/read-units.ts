// DynamoDB read capacity units, as the engine reports them.
import { dynamodb } from "../../lib/aws/clients/dynamodb.ts";

export interface Reads {
  readonly queries: number;
  /** Read units: one for each 4 KB that a query reads consistently. */
  readonly units: number;
}

/** What this process reads while an action runs. */
export async function readsOf<T>(action: () => Promise<T>): Promise<{ readonly result: T; readonly reads: Reads }> {
  const reads = { queries: 0, units: 0 };
  const name = "readsOf";
  dynamodb().middlewareStack.add(
    (next) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: "TOTAL" };
      const answer = await next({ ...args, input });
      const { ConsumedCapacity } = answer.output as { ConsumedCapacity?: { CapacityUnits?: number } };
      reads.queries++;
      reads.units += ConsumedCapacity?.CapacityUnits ?? Number.NaN;
      return answer;
    },
    { step: "initialize", priority: "high", name },
  );
  try {
    return { result: await action(), reads };
  } finally {
    dynamodb().middlewareStack.remove(name);
  }
}
