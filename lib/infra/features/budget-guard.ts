// Budget guard: pauses trials for the rest of the month when the costs exceed the budget.
import type { Construct } from "constructs";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class BudgetGuardFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"usage">) {
    super(scope, id, { stage, file: "budget-guard", isVersioned: false });
    data.usage.grantPauseTrials(this);
  }
}
