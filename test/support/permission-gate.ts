// A gate in front of the engines that refuses what the role of the calling function does not allow, as AWS does.
import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { ACCOUNT_ID, REGION } from "../../lib/tools/local/engines/client-options.ts";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";
import type { AwsCall, Permissions } from "./permissions.ts";

export interface PermissionGate {
  /** Address in place of that of the engine. */
  readonly endpoint: string;
  /** What was refused, one line for each function, action and resource. */
  readonly refused: ReadonlySet<string>;
  close(): Promise<void>;
}

export interface GatedEngine {
  /** Address of the engine. */
  readonly engine: () => string;
  readonly permissions: () => Permissions;
  /** The calls that a request makes; none for what the gate doesn't know. */
  readonly callsOf: (request: IncomingMessage, body: Buffer) => readonly AwsCall[];
}

/** Starts one. The access key of a request is the name of its function. */
export async function startPermissionGate({ engine, permissions, callsOf }: GatedEngine): Promise<PermissionGate> {
  const refused = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (request, response) => {
    const functionName = accessKeyOf(request);
    const isInMemory = request.headers["x-amz-target"] !== undefined;
    const body = isInMemory ? await buffer(request).catch(() => undefined) : Buffer.alloc(0);
    if (body === undefined) return response.destroy();
    const denied = callsOf(request, body).find((call) => !permissions().allows(functionName, call));
    if (denied) {
      const { action, resource, leadingKeys = [] } = denied;
      refused.add(`${functionName} ${action} ${resource} ${leadingKeys.join(" ")}`.trimEnd());
      request.resume();
      return refuse(
        response,
        `User: ${functionName} is not authorized to perform: ${action} on ${resource}`,
        !isInMemory,
      );
    }
    const { method, url: path, headers } = request;
    const { hostname: host, port } = new URL(engine());
    const upstream = forward({ agent, host, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    upstream.on("error", () => response.destroy());
    response.on("close", () => response.writableFinished || upstream.destroy());
    return isInMemory ? upstream.end(body) : request.pipe(upstream);
  });
  const endpoint = `http://${await listen(server)}`;
  return {
    endpoint,
    refused,
    async close() {
      await stopListening(server);
      agent.destroy();
    },
  };
}

function accessKeyOf({ headers: { authorization = "" }, url = "" }: IncomingMessage): string {
  const presigned = new URL(url, "http://engine").searchParams.get("X-Amz-Credential") ?? "";
  return (/Credential=([^/]+)\//.exec(authorization)?.[1] ?? presigned.split("/")[0] ?? "").trim();
}

/** S3 has status 403 and XML, of which the status says enough. */
function refuse(response: ServerResponse, message: string, isS3: boolean): void {
  response.writeHead(isS3 ? 403 : 400, { "Content-Type": "application/x-amz-json-1.0" });
  response.end(JSON.stringify({ __type: "com.amazon.coral.service#AccessDeniedException", message }));
}

type Attributes = Readonly<Record<string, { readonly S?: string }>>;

interface ItemRequest {
  readonly TableName: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
}

/** The calls of a request to DynamoDB. A transaction needs the permissions of its writes. */
export function dynamoDbCalls(request: IncomingMessage, body: Buffer): readonly AwsCall[] {
  const [, operation = ""] = String(request.headers["x-amz-target"]).split(".");
  const input = JSON.parse(body.toString("utf8"));
  if (operation === "TransactWriteItems") {
    const items: readonly Record<string, ItemRequest>[] = input.TransactItems;
    return items.flatMap((item) =>
      Object.entries(item).map(([kind, each]) =>
        itemCall(kind === "ConditionCheck" ? "ConditionCheckItem" : `${kind}Item`, each),
      ),
    );
  }
  return [itemCall(operation, input)];
}

function itemCall(operation: string, input: ItemRequest): AwsCall {
  const partition = (input.Key ?? input.Item)?.["pk"]?.S ?? queriedPartition(input);
  return {
    action: `dynamodb:${operation}`,
    resource: `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${input.TableName}`,
    // An action without a partition, such as Scan, has no leading keys; the roles must not allow it for that reason.
    leadingKeys: [partition ?? "<none>"],
  };
}

function queriedPartition(input: ItemRequest): string | undefined {
  const { KeyConditionExpression = "", ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  const equal = [...KeyConditionExpression.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)];
  const [, , value = ""] = equal.find(([, name = ""]) => (ExpressionAttributeNames[name] ?? name) === "pk") ?? [];
  return ExpressionAttributeValues[value]?.S;
}

/** The calls of a request to SQS. */
function sqsCalls(request: IncomingMessage, body: Buffer): readonly AwsCall[] {
  const [, operation = ""] = String(request.headers["x-amz-target"]).split(".");
  const queue = String(JSON.parse(body.toString("utf8")).QueueUrl)
    .split("/")
    .at(-1);
  // The permission for a batch is that for its single action.
  const action = `sqs:${operation.replace(/Batch$/, "")}`;
  return [{ action, resource: `arn:aws:sqs:${REGION}:${ACCOUNT_ID}:${queue}` }];
}

const S3_ACTIONS: Readonly<Record<string, string>> = {
  GET: "GetObject",
  HEAD: "GetObject",
  PUT: "PutObject",
  POST: "PutObject",
};

/** The calls of a request to S3 or SQS, which are one engine. S3 has paths `/<bucket>/<key>`. */
export function s3AndSqsCalls(request: IncomingMessage, body: Buffer): readonly AwsCall[] {
  if (request.headers["x-amz-target"] !== undefined) return sqsCalls(request, body);
  const { method = "", url = "" } = request;
  const { pathname, searchParams } = new URL(url, "http://engine");
  if (method === "OPTIONS") return [];
  const deletion = searchParams.has("uploadId") ? "AbortMultipartUpload" : "DeleteObject";
  const action = method === "DELETE" ? deletion : (S3_ACTIONS[method] ?? method);
  return [{ action: `s3:${action}`, resource: `arn:aws:s3:::${decodeURIComponent(pathname.slice(1))}` }];
}
