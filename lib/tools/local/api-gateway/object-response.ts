// The HTTP response of an integration that reads an object of S3: status and headers by the template, and the bytes as they are.
import type { ObjectIntegration } from "./api-definition.ts";
import type { HttpResponse } from "./proxy-response.ts";

/** Maps a response of S3. Throws for a status that the template has no response for, to which API Gateway answers 500. */
export async function objectResponse(
  { responses, httpMethod }: Pick<ObjectIntegration, "responses" | "httpMethod">,
  answer: Response,
  requestId: string,
): Promise<HttpResponse> {
  const status = String(answer.status);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const response = responses.find(({ pattern }) => pattern?.test(status)) ?? responses.find(({ pattern }) => !pattern);
  if (!response) throw new Error(`The integration has no response for the status ${status}.`);
  const headers = response.headers.flatMap(({ name, value, isConstant }): [string, string][] => {
    const sent = isConstant ? value : answer.headers.get(value);
    return sent === null ? [] : [[name, sent]];
  });
  const body =
    response.template === undefined
      ? bytes
      : Buffer.from(response.template.replaceAll("$context.requestId", requestId));
  return { statusCode: response.statusCode, headers, body: httpMethod === "HEAD" ? Buffer.alloc(0) : body };
}
