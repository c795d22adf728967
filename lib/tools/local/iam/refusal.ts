// The responses of AWS to a request that it refuses, by the protocol of the service.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

export type AwsService = "dynamodb" | "kms" | "lambda" | "s3" | "scheduler" | "ses" | "sqs" | "sts";

export type Refusal =
  /** The request is not signed. */
  | { readonly kind: "unsigned" }
  /** No function has this access key. */
  | { readonly kind: "unknown-key" }
  | { readonly kind: "wrong-signature" }
  /** The time of the presigned URL is over. */
  | { readonly kind: "expired" }
  | ({ readonly kind: "denied" } & Denial)
  /** An object of this key exists, which the request must not overwrite. */
  | { readonly kind: "exists" }
  /** Another request is writing an object of this key. */
  | { readonly kind: "conflict" }
  /** The call is allowed, but nothing on this machine can answer it. */
  | { readonly kind: "no-engine" };

export interface Denial {
  /** ARN of the caller. */
  readonly principal: string;
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** How AWS explains it, such as `because no identity-based policy allows the s3:GetObject action`. */
  readonly reason: string;
}

/** Answers in place of the service. */
export function refuse(response: ServerResponse, service: AwsService, refusal: Refusal): void {
  const { status, code } = { ...codes[refusal.kind], ...services[service].codes?.[refusal.kind] };
  const message = messageOf(service, refusal);
  const requestId = randomUUID();
  const { headers, body } = services[service].write({ code, message, requestId });
  response.writeHead(status, { ...headers, "x-amzn-RequestId": requestId });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

interface Code {
  readonly status: number;
  readonly code: string;
}

const codes: Readonly<Record<Refusal["kind"], Code>> = {
  unsigned: { status: 403, code: "MissingAuthenticationTokenException" },
  "unknown-key": { status: 403, code: "UnrecognizedClientException" },
  "wrong-signature": { status: 403, code: "InvalidSignatureException" },
  expired: { status: 403, code: "AccessDenied" },
  denied: { status: 403, code: "AccessDeniedException" },
  exists: { status: 412, code: "PreconditionFailed" },
  conflict: { status: 409, code: "ConditionalRequestConflict" },
  "no-engine": { status: 403, code: "AccessDenied" },
};

/** Every client error of DynamoDB and of KMS has the status 400. */
const codesWith400 = Object.fromEntries(
  Object.entries(codes).map(([kind, code]) => [kind, { ...code, status: 400 }]),
) as typeof codes;

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const s3Codes: Partial<typeof codes> = {
  unsigned: { status: 403, code: "AccessDenied" },
  "unknown-key": { status: 403, code: "InvalidAccessKeyId" },
  "wrong-signature": { status: 403, code: "SignatureDoesNotMatch" },
  denied: { status: 403, code: "AccessDenied" },
};

const stsCodes: Partial<typeof codes> = {
  "unknown-key": { status: 403, code: "InvalidClientTokenId" },
  "wrong-signature": { status: 403, code: "SignatureDoesNotMatch" },
  denied: { status: 403, code: "AccessDenied" },
};

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

interface Protocol {
  readonly codes?: Partial<typeof codes>;
  write(error: ErrorBody): { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

const awsJson = ({ code, message }: ErrorBody) => ({
  headers: { "Content-Type": "application/x-amz-json-1.0" },
  body: JSON.stringify({ __type: `com.amazon.coral.service#${code}`, Message: message, message }),
});

const restJson = ({ code, message }: ErrorBody) => ({
  headers: { "Content-Type": "application/json", "x-amzn-ErrorType": code },
  body: JSON.stringify({ Message: message, message }),
});

const services: Readonly<Record<AwsService, Protocol>> = {
  dynamodb: { codes: codesWith400, write: awsJson },
  kms: { codes: codesWith400, write: awsJson },
  lambda: { write: restJson },
  s3: {
    codes: s3Codes,
    write: ({ code, message, requestId }) => ({
      headers: { "Content-Type": "application/xml" },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${element("Code", code)}${element("Message", message)}${element("RequestId", requestId)}</Error>`,
    }),
  },
  scheduler: { write: restJson },
  ses: { write: restJson },
  sqs: {
    write: (error) => {
      const { headers, body } = awsJson(error);
      const query = error.code === "AccessDeniedException" ? { "x-amzn-query-error": "AccessDenied;Sender" } : {};
      return { headers: { ...headers, ...query }, body };
    },
  },
  sts: {
    codes: stsCodes,
    write: ({ code, message, requestId }) => ({
      headers: { "Content-Type": "text/xml" },
      body: `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>${element("Code", code)}${element("Message", message)}</Error>${element("RequestId", requestId)}</ErrorResponse>`,
    }),
  },
};

function element(name: string, text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<${name}>${escaped}</${name}>`;
}

function messageOf(service: AwsService, refusal: Refusal): string {
  switch (refusal.kind) {
    case "unsigned":
      return service === "s3" ? "Access Denied" : "Request is missing Authentication Token";
    case "unknown-key":
      return service === "s3"
        ? "The AWS Access Key Id you provided does not exist in our records."
        : "The security token included in the request is invalid.";
    case "wrong-signature":
      return "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.";
    case "expired":
      return "Request has expired";
    case "exists":
      return "At least one of the pre-conditions you specified did not hold";
    case "conflict":
      return "The conditional request cannot succeed due to a conflicting operation against this resource.";
    case "no-engine":
      return "The local runner has no engine for this call.";
    case "denied":
      return denialMessage(service, refusal);
  }
}

/** SQS writes actions in lower case, S3 quotes the resource, and SES has words of its own. */
function denialMessage(service: AwsService, { principal, action, resource, reason }: Denial): string {
  switch (service) {
    case "s3":
      return `User: ${principal} is not authorized to perform: ${action} on resource: "${resource}" ${reason}`;
    case "ses":
      return `User \`${principal}' is not authorized to perform \`${action}' on resource \`${resource}'`;
    case "sqs": {
      const lower = action.toLowerCase();
      return `User: ${principal} is not authorized to perform: ${lower} on resource: ${resource} ${reason.replace(action, lower)}`;
    }
    case "sts":
      return `User: ${principal} is not authorized to perform: ${action} on resource: ${resource}`;
    default:
      return `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
  }
}
