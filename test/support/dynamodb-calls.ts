// The calls of this process to DynamoDB: counted, or made to fail.
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";

/** Counts the calls while an action runs, by the names of their commands. */
export async function callsOf<T>(action: () => Promise<T>): Promise<{ readonly result: T; readonly calls: object }> {
  const calls: Record<string, number> = {};
  const result = await whileCalling((name) => {
    calls[name] = (calls[name] ?? 0) + 1;
  }, action);
  return { result, calls };
}

/** Lets the updates whose values have one of a name, such as `:released`, fail while an action runs. */
export function whileUpdatesFail<T>(valueName: string, action: () => Promise<T>): Promise<T> {
  return whileCalling((_, input) => {
    const { ExpressionAttributeValues = {} } = input as { ExpressionAttributeValues?: object };
    if (valueName in ExpressionAttributeValues) throw new Error(`The update with ${valueName} failed.`);
  }, action);
}

/** Calls `onCall` before each call, which fails if it throws, while an action runs. */
export async function whileCalling<T>(
  onCall: (commandName: string, input: object) => void,
  action: () => Promise<T>,
): Promise<T> {
  const { middlewareStack } = dynamodb();
  const name = "onCall";
  middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        onCall(commandName, args.input);
        return next(args);
      },
    { step: "initialize", name },
  );
  try {
    return await action();
  } finally {
    middlewareStack.remove(name);
  }
}
