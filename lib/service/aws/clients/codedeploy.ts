import { CodeDeployClient } from "@aws-sdk/client-codedeploy";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

export const codedeploy = once(() => new CodeDeployClient({ requestHandler: requestTimeouts() }));
