// Paths that dashboards of before had, so that links to them still work.

/** The path, with its query, that has taken the place of another one; undefined for a path that is in use. */
export function movedPath(path: string, query: URLSearchParams): string | undefined {
  const opened = query.get("open") ?? "";
  if ((path === "captures" || path === "jobs") && /^\d{1,16}$/.test(opened)) return `captures/${opened}`;
  if (path !== "jobs") return undefined;
  const status = query.get("status") ?? "";
  const filters = { asynchronous: "true", ...(/^(success|failed)$/.test(status) && { status }) };
  return `captures?${new URLSearchParams(filters)}`;
}
