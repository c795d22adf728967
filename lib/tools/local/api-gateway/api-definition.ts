// The REST API of a template: its methods with their functions, and its gateway responses.

import type { Resource } from "../assembly/resources.ts";
import { LocalServiceError } from "../local-service-error.ts";

export interface ApiDefinition {
  readonly id: string;
  readonly stage: string;
  readonly methods: readonly ApiMethod[];
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>;
}

export type ApiMethod = FunctionMethod | ObjectMethod;

interface MethodRoute {
  /** Path template, such as `/storage/{key+}`. */
  readonly path: string;
  readonly resourceId: string;
  /** `ANY` matches all methods that the resource does not have. */
  readonly httpMethod: string;
  readonly timeoutMs: number;
}

/** A method that a function answers, by a proxy integration. */
export interface FunctionMethod extends MethodRoute {
  readonly functionArn: string;
  readonly isStreamed: boolean;
}

/** A method that S3 answers with an object, by an integration without a function. */
export interface ObjectMethod extends MethodRoute {
  readonly object: ObjectIntegration;
}

export interface ObjectIntegration {
  /** With which S3 is called. */
  readonly httpMethod: string;
  readonly bucket: string;
  readonly key: string;
  /** The role with which the object is read. */
  readonly roleArn: string;
  readonly responses: readonly IntegrationResponse[];
}

export interface IntegrationResponse {
  readonly statusCode: number;
  /** Which statuses of S3 it is for; undefined for all others. */
  readonly pattern: RegExp | undefined;
  /** Where the value of each header is from: a constant, or a header of S3. */
  readonly headers: readonly { readonly name: string; readonly value: string; readonly isConstant: boolean }[];
  /** Template of a JSON body; undefined for that of the object. */
  readonly template: string | undefined;
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

/** Throws `LocalServiceError` for a second API, and for a method whose integration is neither a function nor an object of S3. */
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
    readonly IntegrationHttpMethod?: string;
    readonly Credentials?: string;
    readonly RequestParameters?: Readonly<Record<string, string>>;
    readonly IntegrationResponses?: readonly ResponseProperties[];
  };
}

interface ResponseProperties {
  readonly StatusCode: string;
  readonly SelectionPattern?: string;
  readonly ResponseParameters?: Readonly<Record<string, string>>;
  readonly ResponseTemplates?: Readonly<Record<string, string>>;
}

function readMethod({ logicalId, properties }: Resource, paths: ReadonlyMap<string, string>): ApiMethod {
  const { HttpMethod, ResourceId, Integration } = properties as unknown as MethodProperties;
  const route = {
    path: paths.get(ResourceId) ?? "/",
    resourceId: ResourceId,
    httpMethod: HttpMethod,
    timeoutMs: Integration.TimeoutInMillis ?? MAX_BUFFERED_RESPONSE_MS,
  };
  const functionArn = functionUri.exec(Integration.Uri ?? "")?.[1];
  if (Integration.Type === "AWS_PROXY" && functionArn)
    return { ...route, functionArn, isStreamed: Integration.ResponseTransferMode === "STREAM" };
  const object = readObjectIntegration(Integration);
  if (object) return { ...route, object };
  throw new LocalServiceError(
    "The local runner supports proxy integrations of Lambda, and integrations that read one object of S3. " +
      `The method ${logicalId} has neither.`,
  );
}

/** Undefined for any other integration. */
function readObjectIntegration(integration: MethodProperties["Integration"]): ObjectIntegration | undefined {
  const { Type, Uri = "", Credentials, RequestParameters, IntegrationResponses = [] } = integration;
  const [, bucket, key] = objectUri.exec(Uri) ?? [];
  if (Type !== "AWS" || RequestParameters || Credentials === undefined || bucket === undefined || key === undefined)
    return undefined;
  return {
    httpMethod: integration.IntegrationHttpMethod ?? "GET",
    bucket,
    key,
    roleArn: Credentials,
    responses: IntegrationResponses.map(readIntegrationResponse),
  };
}

function readIntegrationResponse(response: ResponseProperties): IntegrationResponse {
  const { StatusCode, SelectionPattern, ResponseParameters = {}, ResponseTemplates } = response;
  return {
    statusCode: Number(StatusCode),
    pattern: SelectionPattern === undefined ? undefined : new RegExp(`^(?:${SelectionPattern})$`),
    headers: Object.entries(ResponseParameters).map(([parameter, source]) => {
      const name = parameter.slice("method.response.header.".length);
      const constant = /^'(.*)'$/.exec(source)?.[1];
      return constant === undefined
        ? { name, value: source.slice("integration.response.header.".length), isConstant: false }
        : { name, value: constant, isConstant: true };
    }),
    template: ResponseTemplates?.["application/json"],
  };
}

/** `…:s3:path/<bucket>/<key>`, without variables. */
const objectUri = /:s3:path\/([^/{}]+)\/([^{}]+)$/;

/** `…:lambda:path/2015-03-31/functions/<arn>/invocations`; the streaming form has another date. */
const functionUri = /:lambda:path\/[\d-]+\/functions\/(.+)\/(?:response-streaming-)?invocations$/;

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
