// Has the function `dead-letters` list or retry messages of failed captures and webhooks.
import { InvokeCommand } from "@aws-sdk/client-lambda";
import * as v from "valibot";
import { lambda } from "../aws/clients/lambda.ts";
import { type DeadLetterAnswer, type DeadLetterRequest, deadLetterAnswers } from "./dead-letter-requests.ts";

/** Longer than the function may take. API Gateway waits for 29 seconds. */
const TIMEOUT_MS = 20_000;

/** Invokes the function and waits for its answer. Throws when it fails. */
export async function invokeDeadLetters<R extends DeadLetterRequest>(
  functionName: string,
  request: R,
): Promise<DeadLetterAnswer<R>> {
  const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) });
  const { FunctionError, Payload } = await lambda().send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
  const payload = Payload?.transformToString() ?? "";
  if (FunctionError !== undefined) throw new Error(`The function of dead letters failed: ${FunctionError} ${payload}`);
  const schema: v.GenericSchema = deadLetterAnswers[request.operation][request.queue];
  return v.parse(schema, JSON.parse(payload)) as DeadLetterAnswer<R>;
}
