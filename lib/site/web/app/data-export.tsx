// Exports that the service writes to a file: starts one, shows how far it is, and downloads the file.
import { useEffect, useRef, useState } from "preact/hooks";
import type { DataExport } from "../../../../clients/typescript/src/generated/types.ts";
import { RequestError, send } from "../ui/api.ts";
import { countText, formatBytes, formatWait } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { type Action, useAction } from "../ui/use-action.ts";
import { useElapsed } from "../ui/use-elapsed.ts";
import { Time } from "./time.tsx";

/** Between two looks at an export: a quarter of its age, within these bounds, in milliseconds. */
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;

export interface ExportInPage {
  /** The export that was started last, or that is shown. */
  readonly current: DataExport | undefined;
  readonly action: Action;
  /** Starts an export, whose file is downloaded as soon as it is ready. */
  readonly start: (options?: Readonly<Record<string, unknown>>) => void;
}

/** Exports at a path of the API. `known` is an export of an earlier visit. */
export function useDataExport(path: string, known?: DataExport): ExportInPage {
  const [latest, setLatest] = useState<DataExport>();
  const startedHere = useRef(false);
  const action = useAction();
  const current = latest ?? known;
  useEffect(() => {
    if (current?.status !== "running") return undefined;
    const age = Date.now() - Date.parse(current.created_at);
    const delay = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, age / 4));
    const timer = setTimeout(async () => {
      const next = await look(`${path}/${current.id}`);
      setLatest(next ?? { ...current });
      if (startedHere.current && next?.download_url) location.assign(next.download_url); // an attachment: the page stays
    }, delay);
    return () => clearTimeout(timer);
  }, [current, path]);
  const start = (options?: Readonly<Record<string, unknown>>) => {
    startedHere.current = true;
    void action.run(async () => setLatest(await send<DataExport>("POST", path, options)));
  };
  return { current, action, start };
}

/** The state of an export; undefined when there was no answer, which comes with the next look. */
async function look(path: string): Promise<DataExport | undefined> {
  try {
    return await send<DataExport>("GET", path);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return undefined;
  }
}

/** How far an export is, and the link to its file. */
export function ExportState({ current, action }: Pick<ExportInPage, "current" | "action">) {
  const seconds = useElapsed(current?.status === "running" ? Date.parse(current.created_at) : undefined);
  return (
    <>
      {action.problem && <Notice problem={action.problem} />}
      <div role="status">
        {current?.status === "running" && (
          <p class="note">
            Exporting
            <span aria-live="off">
              : {current.progress} %, {countText(current.lines, "line")}, {formatWait(seconds)}
            </span>
            . You can leave this page: the export goes on.
          </p>
        )}
        {current?.status === "failed" && <p class="note">The export failed. Start another one.</p>}
        {current?.status === "ready" && current.download_url !== null && (
          <p class="note">
            Your export is ready:{" "}
            <a href={current.download_url} download>
              download it
            </a>{" "}
            ({formatBytes(current.size_bytes ?? 0)}). The file is kept until <Time at={current.expires_at} />.
          </p>
        )}
      </div>
    </>
  );
}
