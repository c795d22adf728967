// Routes without an API key: `GET /health`, `GET /api/v1/openapi.json`, and the fallback for unknown routes.
import type { Construct } from "constructs";
import { builtLists } from "../../../layers/blocking/build.ts";
import { openapiDocument } from "../../api/openapi/document.ts";
import { knownPaths } from "../../api/routes.ts";
import { PLACEHOLDER_URL } from "../../api/service/serve-openapi.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class HealthFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"activity">) {
    super(scope, id, {
      stage,
      file: "health",
      // Compiled in: the function has no layer, and a function's environment is limited to 4 KB.
      bundle: { define: { FILTER_LISTS: JSON.stringify(builtLists()) } },
    });
    data.activity.grantReadCanary(this);
  }
}

export class OpenapiFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage }: FeatureProps) {
    super(scope, id, {
      stage,
      file: "openapi",
      bundle: { define: { OPENAPI_DOCUMENT: JSON.stringify(JSON.stringify(openapiDocument(PLACEHOLDER_URL))) } },
    });
  }
}

export class UnmatchedFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage }: FeatureProps) {
    super(scope, id, {
      stage,
      file: "unmatched",
      bundle: { define: { KNOWN_PATHS: JSON.stringify(knownPaths) } },
    });
  }
}
