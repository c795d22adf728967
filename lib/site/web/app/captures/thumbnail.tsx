// The picture of a capture in a list, in a frame of a fixed ratio; without one, an icon for what it is.
import { useEffect, useState } from "preact/hooks";
import { type Format, type FormatKind, formatKind } from "../../../../contract/options/formats.ts";
import { localAddress } from "../../service-address.ts";

interface ThumbnailProps {
  /** Null for a capture without a thumbnail. */
  readonly url: string | null;
  /** Undefined for a capture that has failed. */
  readonly format: Format | undefined;
  /** When the capture ended, in milliseconds since 1970. */
  readonly endedAt: number;
}

/** It is stored a moment after the capture has ended. */
const STORED_AFTER_MS = 2_000;

/** The thumbnail can have been deleted meanwhile. Its text is next to it, so that a screen reader skips it. */
export function Thumbnail({ url, format, endedAt }: ThumbnailProps) {
  const [isStored, setStored] = useState(() => Date.now() - endedAt > STORED_AFTER_MS);
  const [missing, setMissing] = useState<string>();
  useEffect(() => {
    if (isStored) return undefined;
    const timer = setTimeout(() => setStored(true), STORED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isStored]);
  return (
    <span class="thumbnail">
      {url !== null && url !== missing && isStored ? (
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
