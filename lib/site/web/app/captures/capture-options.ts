// The options of a logged capture, from which a request can be made again.
import { type Format, fileExtension, mimeTypes } from "../../../../contract/options/formats.ts";
import { curl } from "../../../samples/curl-sample.ts";
import { apiBaseUrl, publicBaseUrl } from "../../service-address.ts";
import { shareFragment } from "../../shared/share-link.ts";

export type Options = Readonly<Record<string, unknown>>;

/** The log has no secrets, and of long texts the beginning only: such a capture can't be repeated from it. */
export function isRepeatable(options: Options): boolean {
  const text = JSON.stringify(options);
  return !text.includes("REDACTED") && !/\.\.\. \(\d+ characters in total\)/.test(text);
}

/** The options of the same capture whose response comes at once, with a link to the stored result. */
export function repeatedOptions(options: Options): Options {
  const { async: _, webhook_url: __, ...others } = options;
  return { ...others, response_type: "json" };
}

/** The same request as a command for a shell that has the API key in its environment. */
export function curlCommand(options: Options): string {
  const output = resultFile(options);
  return curl({
    method: "POST",
    url: `${publicBaseUrl}/api/v1/screenshot`,
    headers: [
      ["Authorization", "Bearer $SCREEN_CAPTURE_KEY"],
      ["Content-Type", "application/json"],
    ],
    body: { kind: "json", text: JSON.stringify(options) },
    ...(output !== undefined && { output }),
  });
}

/** Undefined for a response that is read in the shell. */
function resultFile({ format = "png", response_type = "by_format", async: isAsync }: Options): string | undefined {
  if (response_type !== "by_format" || String(isAsync) === "true") return undefined;
  return Object.hasOwn(mimeTypes, String(format)) ? `capture.${fileExtension(format as Format)}` : "capture";
}

/** The log has no secrets, so that none are in the link. */
export async function openInPlayground(options: Options): Promise<void> {
  location.assign(`${apiBaseUrl}/playground${await shareFragment(options, () => false)}`);
}
