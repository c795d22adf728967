// Clients of AWS are made once per function, and only when they are used.

/** What `create` made when it was requested first. */
export function once<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
