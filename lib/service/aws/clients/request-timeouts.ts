// Time limits of the SDK's requests. Without them, a connection that died while the function was frozen holds a request until the
// function ends: https://github.com/aws/aws-sdk-js-v3/issues/1196
import { freshAgents } from "./fresh-agent.ts";

export interface RequestTimeouts extends ReturnType<typeof freshAgents> {
  /** Milliseconds to connect. */
  readonly connectionTimeout: number;
  /** Milliseconds from the start of a request to the headers of its response. */
  readonly requestTimeout: number;
  /** Milliseconds without a byte in either direction: of a body that stops, which no other limit is about. */
  readonly socketTimeout: number;
  /** The SDK would only log a warning. */
  readonly throwOnRequestTimeout: true;
}

const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 5_000;

export interface TimeoutSettings {
  /** Milliseconds. @default 5000 */
  readonly requestTimeout?: number;
  /** Milliseconds. @default one second more than the request timeout */
  readonly socketTimeout?: number;
}

/** Settings for a client's `requestHandler`. The SDK repeats what timed out, on a new connection, twice by default. */
export function requestTimeouts({
  requestTimeout = REQUEST_TIMEOUT_MS,
  socketTimeout = requestTimeout + 1_000,
}: TimeoutSettings = {}): RequestTimeouts {
  return {
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout,
    socketTimeout,
    throwOnRequestTimeout: true,
    ...freshAgents(),
  };
}
