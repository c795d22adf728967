// The status page: API Gateway answers with objects of the results bucket, so that it works when no function does.
import {
  AwsIntegration,
  type IntegrationResponse,
  type MethodResponse,
  PassthroughBehavior,
  type RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { STRICT_TRANSPORT_SECURITY } from "../../service/http/transport-security.ts";
import { POLICY_METADATA } from "../../service/status/status-objects.ts";
import { pageProtection } from "../../site/page-headers.ts";
import type { ResultsBucket } from "../data/results-bucket.ts";
import { errorTemplate, sentence } from "./gateway-responses.ts";
import { statusObjects } from "./status-objects.ts";

export interface StatusPageProps {
  readonly api: RestApi;
  readonly results: ResultsBucket;
}

/** The methods of the status page, and the role with which API Gateway reads its objects. */
export class StatusPage extends Construct {
  constructor(scope: Construct, id: string, { api, results }: StatusPageProps) {
    super(scope, id);
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      description: "Reads the objects of the status page",
    });
    results.grantServeStatus(role);
    for (const { path, key, isPage } of statusObjects) {
      const integrationResponses = responses(isPage ? pageProtection : dataHeaders);
      const methodResponses = integrationResponses.map(methodResponse);
      const resource = api.root.resourceForPath(path);
      for (const method of ["GET", "HEAD"]) {
        const integration = new AwsIntegration({
          service: "s3",
          integrationHttpMethod: method,
          path: `${results.bucket.bucketName}/${key}`,
          options: {
            credentialsRole: role,
            passthroughBehavior: PassthroughBehavior.WHEN_NO_MATCH,
            integrationResponses,
          },
        });
        resource.addMethod(method, integration, { methodResponses });
      }
    }
  }
}

/** Headers that S3 sends, by those of the response. What an object is, and what it may do in a browser, is stored with it. */
const objectHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "Content-Type",
  "Cache-Control": "Cache-Control",
  "Content-Security-Policy": `x-amz-meta-${POLICY_METADATA}`,
};

/** The other headers of data, which programs and pages of other sites may read. */
const dataHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

const fromObject = Object.fromEntries(
  Object.entries(objectHeaders).map(([name, from]) => [
    `method.response.header.${name}`,
    `integration.response.header.${from}`,
  ]),
);

/** API Gateway has static values in single quotes, which none of these can contain. */
function fixed(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]),
  );
}

/** The responses by the status of S3. `headers` are those of all of them. */
function responses(headers: Readonly<Record<string, string>>): IntegrationResponse[] {
  const always = fixed({ ...headers, "Strict-Transport-Security": STRICT_TRANSPORT_SECURITY });
  const failure = (statusCode: string, error: Parameters<typeof errorTemplate>[0]) => ({
    statusCode,
    responseParameters: { ...always, ...fixed(failureHeaders) },
    responseTemplates: Object.fromEntries(
      ["application/json", "application/xml"].map((type) => [type, errorTemplate(error)]), // S3 sends XML
    ),
  });
  return [
    { statusCode: "200", selectionPattern: "200", responseParameters: { ...always, ...fromObject } },
    // Without the right to list the bucket, S3 answers 403 for an object that doesn't exist.
    { ...failure("404", notMade), selectionPattern: "40[34]" },
    failure("503", notRead),
  ];
}

const failureHeaders = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "sandbox",
};

const notMade = {
  error: sentence("The status page has not been made yet. The first check makes it, within five minutes."),
  code: "NOT_FOUND",
  retryable: true,
} as const;

const notRead = {
  error: sentence("The status page could not be read. Try again."),
  code: "INTERNAL_ERROR",
  retryable: true,
} as const;

function methodResponse({ statusCode, responseParameters = {} }: IntegrationResponse): MethodResponse {
  const names = Object.keys(responseParameters).map((name) => [name, true]);
  return { statusCode, responseParameters: Object.fromEntries(names) };
}
