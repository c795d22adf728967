// The pre-traffic hook of CodeDeploy: invokes the new version of a function, and reports whether it may get traffic.
// https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html
import { GetDeploymentCommand, PutLifecycleEventHookExecutionStatusCommand } from "@aws-sdk/client-codedeploy";
import { InvokeCommand } from "@aws-sdk/client-lambda";
import { codedeploy } from "../aws/clients/codedeploy.ts";
import { lambda } from "../aws/clients/lambda.ts";
import { optionalVariable } from "../platform/environment.ts";
import { logError, logInfo } from "../platform/log.ts";
import { type CheckResources, type VersionCheck, versionChecks } from "./version-checks.ts";

/** What CodeDeploy sends to a hook. */
export interface LifecycleEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/**
 * Checks the new version of the function that a deployment is about, and reports the outcome to CodeDeploy, which ends the
 * deployment after a failure. `newVersions` has the ARNs of versions by the names of deployment groups. Rejects only when the
 * outcome can't be reported; the deployment then fails after an hour.
 */
export async function reportNewVersion(
  { DeploymentId: deploymentId, LifecycleEventHookExecutionId: lifecycleEventHookExecutionId }: LifecycleEvent,
  newVersions: Readonly<Record<string, string>>,
  env: CheckResources,
): Promise<void> {
  const isFine = await checkDeployment(deploymentId, newVersions, env).then(
    (version) => {
      logInfo("new version checked", { version });
      return true;
    },
    (error: unknown) => {
      logError("new version refused", error, { deployment: deploymentId });
      return false;
    },
  );
  const status = isFine ? "Succeeded" : "Failed";
  await codedeploy().send(
    new PutLifecycleEventHookExecutionStatusCommand({ deploymentId, lifecycleEventHookExecutionId, status }),
  );
}

/** Resolves to the version that was checked. Rejects with what is wrong with it. */
async function checkDeployment(
  deploymentId: string,
  newVersions: Readonly<Record<string, string>>,
  env: CheckResources,
): Promise<string> {
  const { deploymentInfo } = await codedeploy().send(new GetDeploymentCommand({ deploymentId }));
  const group = deploymentInfo?.deploymentGroupName ?? "";
  const [version, checks] = [newVersions[group], versionChecks[group]];
  if (version === undefined || !checks) throw new Error(`The deployment group "${group}" has no version to check.`);
  for (const check of checks) await checkVersion(version, check, env);
  return version;
}

/** Invokes a version once. Rejects with the error of the function, or with how its response differs from the expected one. */
async function checkVersion(
  version: string,
  { event, expected, read, tenantId }: VersionCheck,
  env: CheckResources,
): Promise<void> {
  const isTenants = tenantId !== undefined && optionalVariable("TENANT_ISOLATION") === "on";
  const { FunctionError, Payload } = await lambda().send(
    new InvokeCommand({
      FunctionName: version,
      Payload: JSON.stringify(await event(env)),
      ...(isTenants && { TenantId: tenantId }),
    }),
  );
  const response = Payload?.transformToString() ?? "";
  if (FunctionError) throw new Error(`${version} fails: ${response}`);
  const found = read(response);
  if (found !== expected) throw new Error(`${version} responds with ${found} instead of ${expected}: ${response}`);
}
