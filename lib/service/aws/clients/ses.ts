import { SESv2Client } from "@aws-sdk/client-sesv2";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

export const ses = once(() => new SESv2Client({ requestHandler: requestTimeouts() }));
