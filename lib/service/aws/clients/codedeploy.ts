import { CodeDeployClient } from "@aws-sdk/client-codedeploy";
import { once } from "./once.ts";

export const codedeploy = once(() => new CodeDeployClient({}));
