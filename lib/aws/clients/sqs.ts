import { SQSClient } from "@aws-sdk/client-sqs";
import { once } from "./once.ts";

export const sqs = once(() => new SQSClient({}));
