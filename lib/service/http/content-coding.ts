// Negotiates the content coding of a response by `Accept-Encoding` (RFC 9110, section 12.5.3).

/** Codings of responses, the preferred one first. */
export const encodings = ["br", "gzip"] as const;
export type ContentCoding = (typeof encodings)[number];

/**
 * The available coding that the client prefers, by their order where it has no preference; undefined for none. A coding
 * with `q=0` is refused. A client that does not name `identity` prefers every coding that it accepts.
 */
export function preferredEncoding(
  acceptEncoding: string | undefined,
  available: readonly ContentCoding[],
): ContentCoding | undefined {
  const qualities = parseQualities(acceptEncoding ?? "");
  const quality = (coding: string) => qualities.get(coding) ?? qualities.get("*") ?? 0;
  const [best] = available
    .filter((coding) => quality(coding) > 0 && quality(coding) >= (qualities.get("identity") ?? 0))
    .toSorted((a, b) => quality(b) - quality(a));
  return best;
}

/** True when the client refuses a response without a coding. */
export function refusesIdentity(acceptEncoding: string | undefined): boolean {
  const qualities = parseQualities(acceptEncoding ?? "");
  return (qualities.get("identity") ?? qualities.get("*") ?? 1) === 0;
}

/** Weight of each coding, by its name in lower case; 0 for a weight that is no number. */
function parseQualities(acceptEncoding: string): ReadonlyMap<string, number> {
  return new Map(
    acceptEncoding.split(",").map((each) => {
      const [coding = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((part) => part.startsWith("q="))?.slice(2) ?? "1";
      return [coding === "x-gzip" ? "gzip" : coding, Number(weight) || 0];
    }),
  );
}
