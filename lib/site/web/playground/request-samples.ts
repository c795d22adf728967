// Code samples for a request of the playground: as POST with JSON, and as GET with a query.
import { type CodeSample, codeSamples } from "../../samples/code-samples.ts";
import type { RequestOptions } from "./request-options.ts";

/** API Gateway allows 10,240 bytes for the request line and all headers. */
const MAX_URL_CHARACTERS = 8_000;
const authorization = ["Authorization", "Bearer $SCREEN_CAPTURE_KEY"] as const;

interface SampleFacts {
  readonly baseUrl: string;
  /** File for the response; undefined if it has no content. */
  readonly output: string | undefined;
}

export function postSamples(options: RequestOptions, { baseUrl, output }: SampleFacts): CodeSample[] {
  return codeSamples({
    method: "POST",
    url: `${baseUrl}/api/v1/screenshot`,
    headers: [authorization, ["Content-Type", "application/json"]],
    body: { kind: "json", text: JSON.stringify(options) },
    ...(output !== undefined && { output }),
  });
}

/** Undefined if the address would be too long. */
export function getSamples(options: RequestOptions, { baseUrl, output }: SampleFacts): CodeSample[] | undefined {
  const query = new URLSearchParams(
    Object.entries(options).flatMap(([name, value]) =>
      (Array.isArray(value) && name !== "outputs" ? value : [value]).map((each) => [
        name,
        typeof each === "object" ? JSON.stringify(each) : String(each),
      ]),
    ),
  );
  const url = `${baseUrl}/api/v1/screenshot?${query}`;
  if (url.length > MAX_URL_CHARACTERS) return undefined;
  return codeSamples({ method: "GET", url, headers: [authorization], ...(output !== undefined && { output }) });
}
