// A whole stage of the service: its two stacks, under names that carry the stage.
import type { App } from "aws-cdk-lib";
import { DataStack } from "./data-stack.ts";
import { ServiceStack } from "./service-stack.ts";
import type { StageConfig } from "./stages.ts";

export interface StageStacks {
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/** Adds the stacks of a stage, the stateful one apart so that no change of code can touch it. */
export function addStage(app: App, stage: StageConfig): StageStacks {
  const env = { account: stage.account, region: stage.region };
  const data = new DataStack(app, `screen-capture-${stage.name}-data`, { stage, env });
  const service = new ServiceStack(app, `screen-capture-${stage.name}-service`, { stage, env, data });
  return { data, service };
}
