// The option of a capture without an API key: the address, in the form by which its picture is cached.
import * as v from "valibot";
import { KEYLESS_OPTIONS } from "../../contract/keyless-capture.ts";
import { type CaptureOptions, parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { text } from "../../contract/options/coercion.ts";
import { parseOptions } from "../../contract/options/parse-options.ts";

const MAX_URL_CHARACTERS = 2_000;
/** Seconds for the whole capture. A visitor who waits for longer has left. */
const TIMEOUT_S = 15;

export const keylessEntries = { url: v.exactOptional(text(MAX_URL_CHARACTERS)) };

const schema = v.object(keylessEntries);

export interface KeylessRequest {
  /** Normalized as the URL Standard says. */
  readonly url: string;
  readonly options: CaptureOptions;
}

/**
 * Parses the address to capture; returns undefined without an address. Throws `VALIDATION_ERROR`, also for an address with a user name
 * or a password: pictures are shared between visitors, and the host is in the log.
 */
export function parseKeyless(rawOptions: unknown): KeylessRequest | undefined {
  const { url: sent } = parseOptions(
    {
      schema,
      *rules({ url }) {
        if (url !== undefined && URL.canParse(url) && hasCredentials(new URL(url)))
          yield ["url", "must have neither a user name nor a password"];
      },
    },
    rawOptions,
  );
  if (sent === undefined) return undefined;
  const options = keylessCaptureOptions(sent);
  return { url: new URL(sent).href, options };
}

/** The options of the capture of an address. Throws `VALIDATION_ERROR`. */
export function keylessCaptureOptions(url: string): CaptureOptions {
  return parseCaptureOptions({ ...KEYLESS_OPTIONS, url, timeout: TIMEOUT_S });
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}
