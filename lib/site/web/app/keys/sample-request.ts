// A request to try a key with, as a command for a shell that has the key in its environment.
import { publicBaseUrl } from "../../service-address.ts";

/** Returns a request that a key with these scopes can send. */
export function sampleRequest(scopes: readonly string[]): string {
  const [path, output] = scopes.includes("capture")
    ? ["/api/v1/screenshot?url=https://example.com", ["  -o example.png"]]
    : [scopes.includes("usage") ? "/api/v1/usage" : "/api/v1/keys", []];
  return [
    `curl --fail-with-body "${publicBaseUrl}${path}"`,
    `  -H "Authorization: Bearer $SCREEN_CAPTURE_KEY"`,
    ...output,
  ].join(" \\\n");
}
