// Captures of an account, each with a link to its request: hosts and outcomes, without addresses and contents.
import { useState } from "preact/hooks";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { formatBytes, formatMilliseconds } from "../../ui/format.ts";
import { addressOf } from "../../ui/router.ts";
import type { AccountCapture, AccountDetails } from "../answers.ts";
import { BlameBadge, StatusBadge } from "../badges.tsx";
import { Age } from "../time.tsx";
import { PictureDialog } from "./picture-dialog.tsx";

export interface CapturesProps {
  readonly account: AccountDetails;
  /** Whether the stage lets operators see pictures of captures. */
  readonly showsPictures: boolean;
}

interface CaptureTableProps extends CapturesProps {
  readonly captures: readonly AccountCapture[];
}

/** Requests of the dashboard have no API key. */
const NO_KEY = 0;

export function CaptureTable({ captures, account, showsPictures }: CaptureTableProps) {
  const [picture, setPicture] = useState<number>();
  const labels = new Map([[NO_KEY, "Dashboard"], ...account.keys.map(({ id, label }) => [id, label] as const)]);
  return (
    <>
      <table class="dense rows">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Outcome</th>
            <th scope="col" class="wide">
              API key
            </th>
            <th scope="col" class="number wide">
              Size
            </th>
            <th scope="col" class="number wide">
              Time
            </th>
            <th scope="col" class="number">
              When
            </th>
            {showsPictures && (
              <th scope="col" class="wide">
                <span class="visually-hidden">Picture</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {captures.map((capture) => (
            <tr key={capture.id}>
              <th scope="row">
                <a class="row-link" href={addressOf(`requests/${capture.id}`)}>
                  <BreakableText text={capture.host ?? "HTML or Markdown"} />
                </a>
                <span class="second-line">
                  {capture.format} · {capture.id}
                </span>
              </th>
              <td>
                <Outcome capture={capture} />
              </td>
              <td class="wide">
                <BreakableText text={labels.get(capture.api_key_id) ?? `Key ${capture.api_key_id}`} />
              </td>
              <td class="number wide">{capture.bytes === null ? "–" : formatBytes(capture.bytes)}</td>
              <td class="number wide">{formatMilliseconds(capture.response_time_ms)}</td>
              <td class="number">
                <Age at={capture.created_at} />
              </td>
              {showsPictures && (
                <td class="wide">
                  {capture.has_picture && (
                    <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setPicture(capture.id)}>
                      Picture<span class="visually-hidden"> of {capture.id}</span>
                    </button>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {picture !== undefined && (
        <PictureDialog accountId={account.id} captureId={picture} onClose={() => setPicture(undefined)} />
      )}
    </>
  );
}

function Outcome({ capture: { status, cached, code, blame } }: { readonly capture: AccountCapture }) {
  return (
    <span class="badges">
      <StatusBadge status={status} cached={cached} />
      {blame !== null && <BlameBadge blame={blame} />}
      {code !== null && (
        <code>
          <BreakableText text={code} />
        </code>
      )}
    </span>
  );
}
