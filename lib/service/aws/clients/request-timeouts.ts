// Time limits of the SDK's requests. Without them, a socket that died while the function was frozen holds a request until
// the function ends: https://github.com/aws/aws-sdk-js-v3/issues/1196

export interface RequestTimeouts {
  /** Milliseconds to connect. */
  readonly connectionTimeout: number;
  /** Milliseconds from the start of a request to the headers of its response. */
  readonly requestTimeout: number;
  /** The SDK would only log a warning. */
  readonly throwOnRequestTimeout: true;
}

const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Settings for a client's `requestHandler`. The SDK repeats what timed out, on a new connection, twice by default.
 * @param requestTimeout milliseconds; 5,000 by default
 */
export function requestTimeouts(requestTimeout: number = REQUEST_TIMEOUT_MS): RequestTimeouts {
  return { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout, throwOnRequestTimeout: true };
}
