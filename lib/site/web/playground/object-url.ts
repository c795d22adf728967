// A `blob:` URL as long as a component shows it.
import { useLayoutEffect, useState } from "preact/hooks";

/** The URL of a body, until another body takes its place; undefined in the first render, which is not painted, and without a body. */
export function useObjectUrl(body: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useLayoutEffect(() => {
    if (!body) return setUrl(undefined);
    const created = URL.createObjectURL(body);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [body]);
  return url;
}
