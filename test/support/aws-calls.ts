// The calls of this process to DynamoDB and S3: counted, or made to fail.
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { s3 } from "../../lib/service/aws/clients/s3.ts";

/** Counts the calls while an action runs, by the names of their commands. */
export async function callsOf<T>(action: () => Promise<T>): Promise<{ readonly result: T; readonly calls: object }> {
  const calls: Record<string, number> = {};
  const result = await whileCalling((name) => {
    calls[name] = (calls[name] ?? 0) + 1;
  }, action);
  return { result, calls };
}

/** Lets the calls fail whose command's name and input, as JSON, match a pattern, while an action runs. */
export function whileCallsFail<T>(pattern: RegExp, action: () => Promise<T>): Promise<T> {
  return whileCalling((name, input) => {
    if (pattern.test(`${name} ${JSON.stringify(input)}`)) throw new Error(`A call failed that matches ${pattern}.`);
  }, action);
}

/** Calls `onCall` before each call, which fails if it throws, while an action runs. */
export async function whileCalling<T>(
  onCall: (commandName: string, input: object) => void,
  action: () => Promise<T>,
): Promise<T> {
  const name = "onCall";
  // biome-ignore lint/suspicious/noExplicitAny: the stacks of the two clients differ in types alone.
  const stacks = [dynamodb(), s3()].map((client) => client.middlewareStack as any);
  for (const stack of stacks) {
    stack.add(
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      (next: any, { commandName }: { readonly commandName: string }) =>
        // biome-ignore lint/suspicious/noExplicitAny: as above.
        async (args: any) => {
          onCall(commandName, args.input);
          return next(args);
        },
      { step: "initialize", name },
    );
  }
  try {
    return await action();
  } finally {
    for (const stack of stacks) stack.remove(name);
  }
}
