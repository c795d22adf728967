// What needs no account: the website as files next to the code, the state of the service, the OpenAPI document, and the refusal of
// requests that no route matches.
import type { Construct } from "constructs";
import { PLACEHOLDER_URL } from "../../service/health/serve-openapi.ts";
import { openapiDocument } from "../../service/openapi/document.ts";
import { filterListsLiteral } from "../bundling/filter-lists.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class WebFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"activity">) {
    super(scope, id, {
      stage,
      file: "web",
      ...(stage.reservedConcurrency && { reservedConcurrentExecutions: stage.reservedConcurrency.web }),
      bundle: {
        withSite: true,
        define: {
          FILTER_LISTS: filterListsLiteral(),
          OPENAPI_DOCUMENT: JSON.stringify(JSON.stringify(openapiDocument(PLACEHOLDER_URL))),
        },
      },
    });
    if (stage.mail) {
      this.setEnvironment("SIGN_UP", stage.signUp);
      this.setEnvironment("SIGN_IN_MAIL", "on");
    }
    if (stage.operators) this.setEnvironment("OPERATOR_PAGE", "on");
    this.setEnvironment("KEYLESS_CAPTURES_PER_DAY", String(stage.keylessCaptures.perDay)); // pages have the field, or not
    data.activity.grantReadCanary(this);
  }
}
