// Invoked by CodeDeploy before a new version of a function gets traffic (hook `BeforeAllowTraffic`): checks the version.
import { type LifecycleEvent, reportNewVersion } from "../lib/service/health/pre-traffic-hook.ts";
import { environment } from "../lib/service/platform/environment.ts";

const { NEW_VERSIONS, ...env } = environment("NEW_VERSIONS", "ACCOUNTS_TABLE", "ACTIVITY_TABLE");

export const handler = (event: LifecycleEvent): Promise<void> => reportNewVersion(event, NEW_VERSIONS, env);
