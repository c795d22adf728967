// CodeDeploy's API on loopback, as far as a hook uses it: finds the group of a deployment, and keeps what hooks report.
// https://docs.aws.amazon.com/codedeploy/latest/APIReference/Welcome.html
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";

export interface CodeDeployApi {
  readonly endpoint: string;
  /** What hooks have reported, by the id of the execution. */
  readonly reported: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** `groups` has the name of the deployment group of each deployment. */
export async function startCodeDeployApi(groups: Readonly<Record<string, string>>): Promise<CodeDeployApi> {
  const reported = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const input = (await json(request)) as Record<string, string>;
    const { deploymentId = "", lifecycleEventHookExecutionId = "", status = "" } = input;
    const group = groups[deploymentId];
    response.setHeader("Content-Type", "application/x-amz-json-1.1");
    if (group === undefined) {
      response.statusCode = 400;
      response.end(
        JSON.stringify({ __type: "DeploymentDoesNotExistException", message: "There is no such deployment." }),
      );
    } else if (request.headers["x-amz-target"] === "CodeDeploy_20141006.GetDeployment") {
      response.end(JSON.stringify({ deploymentInfo: { deploymentId, deploymentGroupName: group } }));
    } else {
      reported.set(lifecycleEventHookExecutionId, status);
      response.end(JSON.stringify({ lifecycleEventHookExecutionId }));
    }
  });
  const address = await listen(server);
  return { endpoint: `http://${address}`, reported, close: () => stopListening(server) };
}
