// The Content-Disposition header of a result: inline, or a download under a file name (RFC 6266).

/**
 * The value of Content-Disposition: `inline` without a name, else `attachment` with the name in UTF-8 and, for old clients,
 * in ASCII.
 */
export function contentDisposition(name: string | undefined): string {
  if (name === undefined) return "inline";
  // Quotes, backslashes and percent signs would end or escape the quoted name: only `filename*` carries them.
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const escaped = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${escaped}`;
}
