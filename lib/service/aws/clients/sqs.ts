import { SQSClient } from "@aws-sdk/client-sqs";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

export const sqs = once(() => new SQSClient({ requestHandler: requestTimeouts() }));
