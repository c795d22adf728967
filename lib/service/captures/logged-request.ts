// What the log says of a requested capture: nothing of it is secret.
import type { Caller } from "../account/account.ts";
import { loggableOptions, redactPassword } from "../usage/loggable-options.ts";
import type { RequestedCapture } from "./capture-request.ts";

export interface LoggedRequest {
  readonly caller: Caller;
  readonly source_ip: string;
  readonly url: string;
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A requested capture as it is logged: without secrets and passwords. */
export function createLoggedRequest({ caller, sourceIp, options, rawOptions }: RequestedCapture): LoggedRequest {
  const { url = "", format } = options;
  return {
    caller,
    source_ip: sourceIp,
    url: redactPassword(url).toWellFormed(),
    format,
    options: loggableOptions(rawOptions),
  };
}
