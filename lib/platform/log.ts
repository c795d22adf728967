// Structured log lines, one JSON object each, on standard output.

export type Fields = Readonly<Record<string, unknown>>;

/** Something worth counting or looking up. Fields must be free of secrets: redact where a value enters. */
export function logInfo(message: string, fields: Fields = {}): void {
  console.log(JSON.stringify({ level: "INFO", message, ...fields }));
}

/** Something an operator should look at, with the error and what caused it. */
export function logError(message: string, error: unknown, fields: Fields = {}): void {
  console.error(JSON.stringify({ level: "ERROR", message, ...fields, error: described(error) }));
}

function described(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause: described(cause) }) };
}
