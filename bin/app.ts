// The CDK app: `cdk synth`, `cdk deploy --all -c stage=prod`. Only here is context read.
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import cdkJson from "../cdk.json" with { type: "json" };
import { addStage } from "../lib/infra/stage.ts";
import { stageConfig } from "../lib/infra/stages.ts";

// The CDK CLI passes the feature flags of cdk.json; without it, as when the local runner synthesizes, they come from
// here, so that the templates are the same.
const app = new App({ context: cdkJson.context });

const stage = app.node.tryGetContext("stage") ?? "dev";
addStage(app, stageConfig(stage));
// What is never deployed need not wait for it.
if (stage !== "local") Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
