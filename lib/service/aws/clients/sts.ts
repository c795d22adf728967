import { STSClient } from "@aws-sdk/client-sts";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

export const sts = once(() => new STSClient({ requestHandler: requestTimeouts() }));
