// The REST API of a template: its methods with their functions, and its gateway responses.

import type { Resource } from "../assembly/resources.ts";
import { LocalServiceError } from "../local-service-error.ts";

export interface ApiDefinition {
  readonly id: string;
  readonly stage: string;
  readonly methods: readonly ApiMethod[];
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>;
}

export interface ApiMethod {
  /** Path template, such as `/storage/{key+}`. */
  readonly path: string;
  readonly resourceId: string;
  /** `ANY` matches all methods that the resource does not have. */
  readonly httpMethod: string;
  readonly functionArn: string;
  readonly isStreamed: boolean;
  readonly timeoutMs: number;
}

export interface GatewayResponse {
  readonly statusCode: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Template of a JSON body. */
  readonly template: string | undefined;
}

export const apiTypes = [
  "AWS::ApiGateway::GatewayResponse",
  "AWS::ApiGateway::Method",
  "AWS::ApiGateway::Resource",
  "AWS::ApiGateway::RestApi",
  "AWS::ApiGateway::Stage",
];

/** Throws `LocalServiceError` for a second API, and for a method without a Lambda proxy integration. */
export function readApi(resources: readonly Resource[]): ApiDefinition {
  const ofType = (type: string) => resources.filter((resource) => resource.type === `AWS::ApiGateway::${type}`);
  const [api, second] = ofType("RestApi");
  if (second)
    throw new LocalServiceError(
      `The local runner supports one REST API, but the template has two: ${api?.logicalId} and ${second.logicalId}.`,
    );
  const paths = resolvePaths(ofType("Resource"), api?.attributes["RootResourceId"] ?? "");
  return {
    id: api?.ref ?? "none",
    stage: ofType("Stage")[0]?.ref ?? "local",
    methods: ofType("Method").map((method) => readMethod(method, paths)),
    gatewayResponses: new Map(ofType("GatewayResponse").map(readGatewayResponse)),
  };
}

/** Path template of each resource id. */
function resolvePaths(resources: readonly Resource[], rootId: string): Map<string, string> {
  const byId = new Map(resources.map((resource) => [resource.ref, resource.properties]));
  const pathOf = (id: string): string => {
    const properties = byId.get(id);
    return properties ? `${pathOf(String(properties["ParentId"]))}/${properties["PathPart"]}` : "";
  };
  return new Map([[rootId, "/"], ...[...byId.keys()].map((id): [string, string] => [id, pathOf(id)])]);
}

interface MethodProperties {
  readonly HttpMethod: string;
  readonly ResourceId: string;
  readonly Integration: {
    readonly Type: string;
    readonly Uri?: string;
    readonly ResponseTransferMode?: string;
    readonly TimeoutInMillis?: number;
  };
}

function readMethod({ logicalId, properties }: Resource, paths: ReadonlyMap<string, string>): ApiMethod {
  const { HttpMethod, ResourceId, Integration } = properties as unknown as MethodProperties;
  const functionArn = integrationUri.exec(Integration.Uri ?? "")?.[1];
  if (Integration.Type !== "AWS_PROXY" || !functionArn) {
    throw new LocalServiceError(
      `The local runner supports Lambda proxy integrations only, which the method ${logicalId} does not have.`,
    );
  }
  return {
    path: paths.get(ResourceId) ?? "/",
    resourceId: ResourceId,
    httpMethod: HttpMethod,
    functionArn,
    isStreamed: Integration.ResponseTransferMode === "STREAM",
    timeoutMs: Integration.TimeoutInMillis ?? MAX_BUFFERED_RESPONSE_MS,
  };
}

/** `…:lambda:path/2015-03-31/functions/<arn>/invocations`; the streaming form has another date. */
const integrationUri = /:lambda:path\/[\d-]+\/functions\/(.+)\/(?:response-streaming-)?invocations$/;

const MAX_BUFFERED_RESPONSE_MS = 29_000;

interface GatewayResponseProperties {
  readonly ResponseType: string;
  readonly StatusCode?: string;
  readonly ResponseParameters?: Readonly<Record<string, string>>;
  readonly ResponseTemplates?: Readonly<Record<string, string>>;
}

function readGatewayResponse({ properties }: Resource): [type: string, response: GatewayResponse] {
  const response = properties as unknown as GatewayResponseProperties;
  const headers = Object.entries(response.ResponseParameters ?? {}).flatMap(([name, value]) => {
    const header = /^gatewayresponse\.header\.(.+)$/.exec(name)?.[1];
    const constant = /^'(.*)'$/.exec(value)?.[1]; // other values copy a part of the request
    return header !== undefined && constant !== undefined ? [[header, constant]] : [];
  });
  return [
    response.ResponseType,
    {
      statusCode: response.StatusCode === undefined ? undefined : Number(response.StatusCode),
      headers: Object.fromEntries(headers),
      template: response.ResponseTemplates?.["application/json"],
    },
  ];
}
