// Reads a stored result into memory, for what a browser doesn't show by its address.
import { useEffect, useState } from "preact/hooks";

export interface LoadedBlob {
  readonly blob: Blob | undefined;
  readonly hasFailed: boolean;
}

export function useBlob(address: string): LoadedBlob {
  const [loaded, setLoaded] = useState<LoadedBlob>({ blob: undefined, hasFailed: false });
  useEffect(() => {
    const controller = new AbortController();
    setLoaded({ blob: undefined, hasFailed: false });
    const load = async () => {
      const response = await fetch(address, { signal: controller.signal });
      if (!response.ok) throw new Error(`Status ${response.status}`);
      return response.blob();
    };
    load().then(
      (blob) => setLoaded({ blob, hasFailed: false }),
      () => !controller.signal.aborted && setLoaded({ blob: undefined, hasFailed: true }),
    );
    return () => controller.abort();
  }, [address]);
  return loaded;
}
