// The CDK app: `cdk synth`, `cdk deploy --all -c stage=prod`. Only this file reads context.
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import cdkJson from "../cdk.json" with { type: "json" };
import { addStage } from "../lib/infra/stage.ts";
import { parseRollout, stageConfig } from "../lib/infra/stages.ts";

// The CDK CLI passes the feature flags of cdk.json. Without the CLI (in the local service) they come from here, so that the
// templates are equal.
const app = new App({ context: cdkJson.context });

const stage = app.node.tryGetContext("stage") ?? "dev";
const rollout = app.node.tryGetContext("rollout"); // for one deployment, in place of the stage's
addStage(app, { ...stageConfig(stage), ...(rollout !== undefined && { rollout: parseRollout(rollout) }) });
// The local stage is never deployed, so it skips these checks.
if (stage !== "local") Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
