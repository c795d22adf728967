// The result of a capture: its picture, player, pages, or text; its thumbnail where the result isn't stored.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { CaptureDetails } from "../../../../../clients/typescript/src/generated/types.ts";
import { localAddress } from "../../service-address.ts";
import { TextView } from "../../shared/highlight.tsx";
import { PdfView } from "../../shared/pdf-view.tsx";
import { useLoaded } from "../../shared/use-loaded.ts";
import { CopyTextButton } from "../../ui/copy-text.tsx";
import { formatBytes } from "../../ui/format.ts";
import { Time } from "../time.tsx";
import { endTime } from "./capture-text.ts";
import { Thumbnail } from "./thumbnail.tsx";

/** The service answers with another host for larger results, which the page's policy doesn't load. */
export const MAX_SHOWN_BYTES = 10_000_000;

interface StoredResultProps {
  readonly details: CaptureDetails;
  /** Opens the result large. */
  readonly onOpen: () => void;
}

export function StoredResultSection({ details, onOpen }: StoredResultProps) {
  const { result, thumbnail_url, format, file_size_bytes: size } = details;
  if (!result) {
    return (
      <section>
        <h2>Result</h2>
        <div class="result-thumbnail">
          <Thumbnail url={thumbnail_url} format={format} endedAt={endTime(details)} />
        </div>
        <p class="note">
          {thumbnail_url === null
            ? "The result isn’t stored: it was sent with the response alone, has expired, or was deleted."
            : "This is the thumbnail. The result isn’t stored: it was sent with the response alone, or has expired."}{" "}
          Capture the page again to see it.
        </p>
      </section>
    );
  }
  const { url, mime_type, expires_at } = result;
  return (
    <section class="stored-result">
      <h2>Result</h2>
      <ResultView address={localAddress(url)} type={resultType(result)} size={size} onOpen={onOpen} />
      <button type="button" onClick={onOpen}>
        Open large
      </button>
      <p class="note result-facts">
        <a href={localAddress(url)} target="_blank" rel="noreferrer">
          Open the result
        </a>{" "}
        ({mime_type}, {formatBytes(size)}), stored until <Time at={expires_at} />{" "}
        <CopyTextButton text={url} label="the link to the result" />
      </p>
    </section>
  );
}

/** Media type without parameters. */
export function resultType({ mime_type }: Pick<NonNullable<CaptureDetails["result"]>, "mime_type">): string {
  return mime_type.split(";")[0] ?? "";
}

interface ResultViewProps {
  readonly address: string;
  /** Media type without parameters. */
  readonly type: string;
}

interface SizedResultProps extends ResultViewProps {
  /** In bytes. */
  readonly size: number;
  /** Opens a picture large. */
  readonly onOpen: () => void;
}

function ResultView({ address, type, size, onOpen }: SizedResultProps) {
  if (size > MAX_SHOWN_BYTES) return <NotShown>It is too large to be shown here: open it.</NotShown>;
  if (type.startsWith("image/")) return <Picture address={address} onOpen={onOpen} />;
  return <OtherResult address={address} type={type} />;
}

/** A video, a PDF, or a text. */
export function OtherResult({ address, type }: ResultViewProps) {
  if (type.startsWith("video/")) return <Player address={address} />;
  return <LoadedResult address={address} type={type} />;
}

export function NotShown({ children }: { readonly children: ComponentChildren }) {
  return <p class="result-missing">{children}</p>;
}

function LoadedResult({ address, type }: ResultViewProps) {
  const { value, error } = useLoaded(
    async (signal) => {
      const response = await fetch(address, { signal });
      if (!response.ok) throw new Error(`Status ${response.status}`);
      return type === "application/pdf" ? response.blob() : response.text();
    },
    [address, type],
  );
  if (error !== undefined) return <NotShown>It can’t be shown here: open it.</NotShown>;
  if (value === undefined)
    return <div class="skeleton-row result-placeholder" role="status" aria-label="The result is being read." />;
  return typeof value === "string" ? <TextView text={value} type={type} /> : <PdfView body={value} />;
}

function Player({ address }: { readonly address: string }) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <NotShown>This browser can’t play it here: open it.</NotShown>;
  return (
    // biome-ignore lint/a11y/useMediaCaption: a capture has no sound
    <video class="result-video" src={address} controls loop playsInline onError={() => setFailed(true)} />
  );
}

/** The picture as wide as there is room, and of a tall one, such as a full page, the top. A click opens it large. */
function Picture({ address, onOpen }: { readonly address: string; readonly onOpen: () => void }) {
  const frame = useRef<HTMLButtonElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const [isCropped, setCropped] = useState(false);
  const onLoad = () => setCropped((frame.current?.scrollHeight ?? 0) > (frame.current?.clientHeight ?? 0));
  if (hasFailed) return <NotShown>This browser can’t show it here: open it.</NotShown>;
  return (
    <button ref={frame} type="button" class={`preview-frame${isCropped ? " is-cropped" : ""}`} onClick={onOpen}>
      <img
        class="preview"
        src={address}
        alt="The captured page; opens it large"
        onLoad={onLoad}
        onError={() => setFailed(true)}
      />
    </button>
  );
}
