// A result as large as there is room: a picture as wide as the room or in its own pixels, and the viewers of the other formats.
import { useState } from "preact/hooks";
import type { CaptureDetails } from "../../../../../clients/typescript/src/generated/types.ts";
import { localAddress } from "../../service-address.ts";
import { ScrollRegion } from "../../shared/scroll-region.tsx";
import { Segments } from "../../shared/segments.tsx";
import { endTime } from "./capture-text.ts";
import { MAX_SHOWN_BYTES, NotShown, OtherResult, resultType } from "./stored-result.tsx";
import { Thumbnail } from "./thumbnail.tsx";

export function LargeResult({ details }: { readonly details: CaptureDetails }) {
  const { result, status, format, thumbnail_url, file_size_bytes: size } = details;
  if (!result) {
    return (
      <div class="result-thumbnail">
        <Thumbnail url={thumbnail_url} format={status === "failed" ? undefined : format} endedAt={endTime(details)} />
        {status === "success" && <p class="note">The result isn’t stored: this is all that is kept of it.</p>}
      </div>
    );
  }
  const address = localAddress(result.url);
  const type = resultType(result);
  if (size > MAX_SHOWN_BYTES) {
    return (
      <NotShown>
        It is too large to be shown here: <a href={address}>open it</a>.
      </NotShown>
    );
  }
  return type.startsWith("image/") ? <LargePicture address={address} /> : <OtherResult address={address} type={type} />;
}

const modes = [
  ["fit", "Fit the width"],
  ["real", "100 %"],
] as const;
type Mode = (typeof modes)[number][0];

function LargePicture({ address }: { readonly address: string }) {
  const [mode, setMode] = useState<Mode>("fit");
  const [size, setSize] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) {
    return (
      <NotShown>
        This browser can’t show it here: <a href={address}>open it</a>.
      </NotShown>
    );
  }
  return (
    <div class="picture">
      <div class="picture-bar">
        <Segments label="Size of the picture" options={modes} value={mode} onChange={setMode} />
        <span class="note">{size ?? " "}</span>
      </div>
      <ScrollRegion class={`canvas canvas-${mode}`} label="Captured picture">
        <img
          src={address}
          alt="The captured page"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
          onError={() => setFailed(true)}
        />
      </ScrollRegion>
    </div>
  );
}
