// The picture of a capture in a list, in a frame of a fixed ratio; without one, an icon for what it is.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Format, type FormatKind, formatKind } from "../../../../contract/options/formats.ts";
import { localAddress } from "../../service-address.ts";

interface ThumbnailProps {
  /** Null for a capture without a thumbnail. */
  readonly url: string | null;
  /** Undefined for a capture that has failed. */
  readonly format: Format | undefined;
}

/** It is stored a moment after the capture has ended. */
const RETRY_MS = 3_000;

/** The thumbnail can be missing: not stored yet, or deleted. Its text is next to it, so that a screen reader skips it. */
export function Thumbnail({ url, format }: ThumbnailProps) {
  const [missing, setMissing] = useState<string>();
  const isRetried = useRef(false);
  useEffect(() => {
    if (missing === undefined || isRetried.current) return undefined;
    isRetried.current = true;
    const timer = setTimeout(() => setMissing(undefined), RETRY_MS);
    return () => clearTimeout(timer);
  }, [missing]);
  return (
    <span class="thumbnail">
      {url !== null && url !== missing ? (
        <img
          src={localAddress(url)}
          alt=""
          width={320}
          height={200}
          loading="lazy"
          decoding="async"
          onError={() => setMissing(url)}
        />
      ) : (
        <Icon shape={format === undefined ? FAILED : shapes[formatKind(format)]} />
      )}
    </span>
  );
}

const shapes: Readonly<Record<FormatKind, string>> = {
  image: "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6M15.5 9.5h.01",
  video: "M3 5h18v14H3zM10 9v6l5-3z",
  pdf: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 15h6M9 18h3",
  document: "M4 4h16v16H4zM7.5 8.5h9M7.5 12h9M7.5 15.5h5",
};

const FAILED = "M12 3l9.5 17h-19zM12 10v4M12 17h.01";

function Icon({ shape }: { readonly shape: string }) {
  return (
    <svg class="format-icon" viewBox="0 0 24 24" width="32" height="32" aria-hidden="true">
      <path d={shape} />
    </svg>
  );
}
