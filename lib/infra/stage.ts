// A stage of the service: its two stacks, whose names carry the name of the stage, and the stack that all stages share.
import type { App } from "aws-cdk-lib";
import { AccountStack } from "./account-stack.ts";
import { DataStack } from "./data/data-stack.ts";
import { ServiceStack } from "./service-stack.ts";
import type { StageConfig, StageName } from "./stages.ts";

/** Name of the stack that all stages of an AWS account share in a region. */
const ACCOUNT_STACK_NAME = "screen-capture-account";

export interface StageStacks {
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/** Names of the stacks of a stage, in the order of their deployment. */
export function stackNames({ name, ownsApiLogRole }: StageConfig): readonly string[] {
  return [...(ownsApiLogRole ? [ACCOUNT_STACK_NAME] : []), dataStackName(name), serviceStackName(name)];
}

const dataStackName = (stage: StageName) => `screen-capture-${stage}-data`;
const serviceStackName = (stage: StageName) => `screen-capture-${stage}-service`;

/** Adds the stacks of a stage. The stateful one is separate, so that no change of code can touch it. */
export function addStage(app: App, stage: StageConfig): StageStacks {
  const env = {
    ...(stage.account !== undefined && { account: stage.account }),
    ...(stage.region !== undefined && { region: stage.region }),
  };
  const data = new DataStack(app, dataStackName(stage.name), { stage, env });
  const service = new ServiceStack(app, serviceStackName(stage.name), { stage, env, data });
  if (stage.ownsApiLogRole) service.addStackDependency(new AccountStack(app, ACCOUNT_STACK_NAME, { env }));
  return { data, service };
}
