// The website: landing page, documentation, and playground, as files beside the code of one function.
import type { Construct } from "constructs";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class WebFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage }: FeatureProps) {
    super(scope, id, { stage, file: "web", bundle: { withSite: true } });
  }
}
