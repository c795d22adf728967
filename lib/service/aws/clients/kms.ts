import { KMSClient } from "@aws-sdk/client-kms";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

export const kms = once(() => new KMSClient({ requestHandler: requestTimeouts() }));
