// A stage of the service: its two stacks, whose names carry the name of the stage.
import type { App } from "aws-cdk-lib";
import { DataStack } from "./data/data-stack.ts";
import { ServiceStack } from "./service-stack.ts";
import type { StageConfig } from "./stages.ts";

export interface StageStacks {
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/** Adds the stacks of a stage. The stateful one is separate, so that no change of code can touch it. */
export function addStage(app: App, stage: StageConfig): StageStacks {
  const env = {
    ...(stage.account !== undefined && { account: stage.account }),
    ...(stage.region !== undefined && { region: stage.region }),
  };
  const data = new DataStack(app, `screen-capture-${stage.name}-data`, { stage, env });
  const service = new ServiceStack(app, `screen-capture-${stage.name}-service`, { stage, env, data });
  return { data, service };
}
