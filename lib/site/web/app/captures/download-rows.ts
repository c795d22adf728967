// Downloads a file of rows that the service streams, and counts them meanwhile.

interface DownloadOptions {
  readonly signal: AbortSignal;
  /** Called with the rows so far. */
  readonly onRows: (rows: number) => void;
}

/** Resolves to false when the service refuses to stream that many. Rejects when the connection or the signal ends. */
export async function downloadRows(address: string, { signal, onRows }: DownloadOptions): Promise<boolean> {
  const response = await fetch(address, { signal, credentials: "same-origin" });
  if (!response.ok || !response.body) return false;
  const type = response.headers.get("content-type") ?? "";
  const headerRows = type.startsWith("text/csv") ? 1 : 0;
  const reader = response.body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    lines += countLines(part.value);
    onRows(Math.max(0, lines - headerRows));
  }
  save(new Blob(parts, { type }), fileName(response));
  return true;
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

/** As the service names it. */
function fileName({ headers }: Response): string {
  const [, name = "captures"] = /filename="?([^";]+)/.exec(headers.get("content-disposition") ?? "") ?? [];
  return name;
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
