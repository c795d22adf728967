// A capture that is asked for by a signed link: how it is told from other requests, and what it may ask for.
import { hasBearerHeader } from "../../accounts/authenticate.ts";
import { linkParameters } from "../../accounts/signed-link.ts";
import { ApiError } from "../../errors/api-error.ts";
import { type CaptureOptions, parseCaptureOptions } from "../../options/capture-options.ts";
import { type ApiRequest, allowsBody, queryOptions, rawOptions, readCredentials } from "../http/api-request.ts";

/** True for a request that shows a signature in place of a key. As ever, a key in the header counts before the query. */
export function isSigned(request: ApiRequest): boolean {
  const hasSignature = request.query.some(([name]) => name === "signature");
  return !allowsBody(request) && hasSignature && !hasBearerHeader(readCredentials(request));
}

/** The options of a capture as they were sent and as they were parsed, by a signed link or not. Throws `VALIDATION_ERROR`. */
export function readCaptureOptions(request: ApiRequest): { sent: Record<string, unknown>; options: CaptureOptions } {
  const sent = isSigned(request) ? linkOptions(request) : rawOptions(request);
  const options = parseCaptureOptions(sent);
  if (options.async && isSigned(request)) {
    // A page that is shown asks again for each of its visitors, and what they are to get is the picture.
    const message = "cannot be asked for by a signed link, whose answer is the capture itself";
    throw new ApiError("VALIDATION_ERROR", `Option 'async' ${message}.`, { details: { async: [message] } });
  }
  return { sent, options };
}

function linkOptions(request: ApiRequest): Record<string, unknown> {
  const query = request.query.filter(([name]) => !linkParameters.some((parameter) => parameter === name));
  return queryOptions({ ...request, query });
}
