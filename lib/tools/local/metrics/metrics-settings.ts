// The settings of `GET /metrics`: METRICS_PORT, METRICS_HOST, and METRICS_TOKEN.
import { LocalServiceError } from "../local-service-error.ts";
import { isLoopback, LOOPBACK } from "../loopback.ts";

export interface MetricsSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The bearer token of each request; undefined where every process of this machine may read the metrics. */
  readonly token: string | undefined;
}

const TOKEN = /^[!-~]{16,}$/;

/** Undefined without METRICS_PORT. Throws `LocalServiceError` for an invalid setting; the message has no token. */
export function readMetricsSettings(environment: NodeJS.ProcessEnv): MetricsSettings | undefined {
  const { METRICS_PORT = "", METRICS_HOST: host = LOOPBACK, METRICS_TOKEN = "" } = environment;
  if (METRICS_PORT === "") return undefined;
  if (!/^\d+$/.test(METRICS_PORT) || Number(METRICS_PORT) > 65_535) {
    throw new LocalServiceError(`METRICS_PORT must be a number from 0 to 65535, not '${METRICS_PORT}'.`);
  }
  if (METRICS_TOKEN !== "" && !TOKEN.test(METRICS_TOKEN)) {
    throw new LocalServiceError(
      "METRICS_TOKEN must have at least 16 printable ASCII characters without spaces, such as the output of 'openssl rand -hex 32'.",
    );
  }
  if (METRICS_TOKEN === "" && !isLoopback(host)) {
    throw new LocalServiceError(
      `METRICS_HOST=${host} can be reached by other machines. Set METRICS_TOKEN, such as to the output of 'openssl rand -hex 32'.`,
    );
  }
  return { host, port: Number(METRICS_PORT), token: METRICS_TOKEN || undefined };
}
