// The viewer of a result by its type: picture, video, PDF, text, or JSON, with a download.
import { TextView } from "../shared/highlight.tsx";
import { PdfView } from "../shared/pdf-view.tsx";
import { useObjectUrl } from "./object-url.ts";
import type { PictureSize } from "./picture-size.ts";
import { type Picture, PictureView } from "./picture-view.tsx";

interface ResultBodyProps {
  readonly body: Blob;
  /** MIME type without parameters. */
  readonly type: string;
  /** The text of a body that is a text. */
  readonly text: string | undefined;
  readonly fileName: string;
  /** The size of a picture that this browser can show. */
  readonly size?: PictureSize | undefined;
  /** The picture that was shown before, to compare a picture with it. */
  readonly before?: Picture | undefined;
}

export function ResultBody({ body, type, text, fileName, size, before }: ResultBodyProps) {
  const url = useObjectUrl(body);
  if (url === undefined) return null;
  const download = (
    <a class="button" href={url} download={fileName}>
      Download {fileName}
    </a>
  );
  if (type === "application/pdf") {
    return (
      <div class="pdf">
        <PdfView body={body} />
        <div class="actions">
          {download}
          <a class="button" href={url} target="_blank" rel="noreferrer">
            Open in a new tab
          </a>
        </div>
      </div>
    );
  }
  if (size) return <PictureView {...{ url, size, before }}>{download}</PictureView>;
  return (
    <>
      {type.startsWith("image/") && <p class="idle">This browser can’t show {type}. Download the file instead.</p>}
      {type.startsWith("video/") && (
        // biome-ignore lint/a11y/useMediaCaption: a capture has no sound
        <video class="video" src={url} controls loop playsInline />
      )}
      {text !== undefined && <TextView text={text} type={type} />}
      <div class="actions">{download}</div>
    </>
  );
}
