// A captured picture in a dialog as large as the window, with its verdict and its options. From the list, the arrow keys go to the captures
// before and after it.
import type { CaptureDetails } from "../../../../../clients/typescript/src/generated/types.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { formatCount } from "../../ui/format.ts";
import { Modal } from "../../ui/modal.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { openInPlayground } from "./capture-options.ts";
import { capturePath, splitError } from "./capture-text.ts";
import { LargeResult } from "./large-result.tsx";
import { qualityText } from "./quality-text.ts";

interface CaptureDialogProps {
  readonly id: number;
  /** The captures of the list in its order; without it, the dialog shows one. */
  readonly ids?: readonly number[];
  readonly onShow?: (id: number) => void;
  readonly onClose: () => void;
}

export function CaptureDialog({ id, ids = [], onShow, onClose }: CaptureDialogProps) {
  const index = ids.indexOf(id);
  const [previous, next] = [ids[index - 1], ids[index + 1]];
  const show = (other: number | undefined) => other !== undefined && onShow?.(other);
  const onKeyDown = (event: KeyboardEvent) => {
    const isScrolling = event.target instanceof Element && event.target.closest(".canvas-real, video, .text-view");
    if (isScrolling || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") show(previous);
    if (event.key === "ArrowRight") show(next);
  };
  return (
    <Modal title="Capture" class="capture-dialog" onClose={onClose} onKeyDown={onKeyDown}>
      {(close) => (
        <>
          <div class="capture-dialog-bar">
            {ids.length > 1 && (
              <>
                <button type="button" disabled={previous === undefined} onClick={() => show(previous)}>
                  Previous
                </button>
                <button type="button" disabled={next === undefined} onClick={() => show(next)}>
                  Next
                </button>
                <span class="note" role="status">
                  {formatCount(index + 1)} of {formatCount(ids.length)}
                </span>
              </>
            )}
            <button type="button" class="capture-dialog-close" onClick={close}>
              Close
            </button>
          </div>
          <Content key={id} id={id} hasPage={ids.length === 0} />
        </>
      )}
    </Modal>
  );
}

interface ContentProps {
  readonly id: number;
  /** True where the dialog is opened from the page of the capture. */
  readonly hasPage: boolean;
}

function Content({ id, hasPage }: ContentProps) {
  const { data, error, reload } = useResource<CaptureDetails>(`/api/v1/usage/${id}`);
  return (
    <div class="capture-dialog-columns">
      <div class="capture-dialog-result">
        {data ? <LargeResult details={data} /> : !error && <div class="skeleton-row capture-dialog-room" />}
      </div>
      <div class="capture-dialog-side">
        {error && <Notice problem={error} retry={reload} />}
        {!data && !error && (
          <Skeleton label="The capture is being read.">
            <SkeletonRows rows={5} />
          </Skeleton>
        )}
        {data && (
          <>
            <p class="capture-dialog-source">
              <BreakableText text={data.url === "" ? data.format : data.url} />
            </p>
            <Verdict details={data} />
            <SentOptions options={data.options} />
            <p class="form-actions">
              <button type="button" class="button-primary" onClick={() => void openInPlayground(data.options)}>
                Open in the playground
              </button>
              {!hasPage && (
                <a class="button" href={addressOf(capturePath(id))}>
                  Page of the capture
                </a>
              )}
            </p>
          </>
        )}
      </div>
    </div>
  );
}

function Verdict({ details: { error_message, problems } }: { readonly details: CaptureDetails }) {
  const error = error_message === null ? undefined : splitError(error_message);
  return (
    <section>
      <h3>Verdict</h3>
      {error ? (
        <p>
          <strong class="problem-code">
            <BreakableText text={error.code} />
          </strong>{" "}
          {error.message}
        </p>
      ) : (
        <p>
          {problems.length === 0 ? "Nothing looks wrong." : "Something looks wrong."} Quality{" "}
          <strong>{qualityText(problems)}</strong> of 100.
        </p>
      )}
      {problems.length > 0 && (
        <ul class="plain-list">
          {problems.map(({ code, severity, message }) => (
            <li key={code}>
              <strong class="problem-code">
                <BreakableText text={code} />
              </strong>{" "}
              <span class="badge">{severity}</span>
              <p>{message}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SentOptions({ options }: Pick<CaptureDetails, "options">) {
  return (
    <section>
      <h3>Options</h3>
      <dl class="facts">
        {Object.entries(options).map(([name, value]) => (
          <div key={name}>
            <dt>
              <BreakableText text={name} />
            </dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
