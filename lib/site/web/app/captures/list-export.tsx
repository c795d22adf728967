// Exports the captures of the list as a file: streamed, with the rows so far and a way to cancel. Of more than can be streamed, the service
// writes a file first.
import { useEffect, useRef, useState } from "preact/hooks";
import { apiBaseUrl } from "../../service-address.ts";
import { RequestError } from "../../ui/api.ts";
import { formatCount, formatWait } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { useElapsed } from "../../ui/use-elapsed.ts";
import { type ExportInPage, ExportState, useDataExport } from "../data-export.tsx";
import { downloadRows } from "./download-rows.ts";

const outputs = ["csv", "ndjson"] as const;
type Output = (typeof outputs)[number];

interface Progress {
  readonly output: Output;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly rows: number;
}

export interface ListExport {
  readonly start: (output: Output) => void;
  readonly cancel: () => void;
  /** Undefined unless rows are streamed. */
  readonly progress: Progress | undefined;
  readonly problem: RequestError | undefined;
  /** The file that the service writes. */
  readonly written: ExportInPage;
}

export function useListExport(filters: URLSearchParams): ListExport {
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<RequestError>();
  const written = useDataExport("/api/v1/usage/exports");
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async (output: Output) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    const started = { output, startedAt: Date.now(), rows: 0 };
    setProblem(undefined);
    setProgress(started);
    try {
      const onRows = (rows: number) => setProgress({ ...started, rows });
      const isTooLarge = !(await downloadRows(exportAddress(filters, output), { signal, onRows }));
      if (isTooLarge) written.start({ ...Object.fromEntries(filters), output });
    } catch {
      if (!signal.aborted) setProblem(new RequestError(0, {}));
    } finally {
      setProgress(undefined);
    }
  };
  return {
    start: (output) => void start(output),
    cancel: () => controller.current?.abort(),
    progress,
    problem,
    written,
  };
}

function exportAddress(filters: URLSearchParams, output: string): string {
  return `${apiBaseUrl}/api/v1/usage/export?${new URLSearchParams([...filters, ["output", output]])}`;
}

interface ExportLinksProps {
  readonly filters: URLSearchParams;
  readonly exported: ListExport;
}

/** Links to the files; a button that cancels while one is streamed. */
export function ExportLinks({ filters, exported: { start, cancel, progress } }: ExportLinksProps) {
  if (progress) {
    return (
      <button type="button" onClick={cancel}>
        Cancel the export
      </button>
    );
  }
  return (
    <span class="note">
      <span class="export-label">Export </span>
      {outputs.map((output) => (
        <a
          key={output}
          href={exportAddress(filters, output)}
          download
          onClick={(event) => {
            event.preventDefault();
            start(output);
          }}
        >
          {output.toUpperCase()}
        </a>
      ))}
    </span>
  );
}

interface ListExportStateProps {
  readonly exported: ListExport;
  /** Captures of the list; undefined for a search, which doesn't count them. */
  readonly total: number | undefined;
}

/** How far an export is. */
export function ListExportState({ exported: { progress, problem, written }, total }: ListExportStateProps) {
  const seconds = useElapsed(progress?.startedAt);
  return (
    <>
      {progress && (
        <p class="note" role="status">
          Exporting {progress.output.toUpperCase()}
          <span aria-live="off">
            : {formatCount(progress.rows)} {total !== undefined && `of ${formatCount(total)} `}rows,{" "}
            {formatWait(seconds)}
          </span>
        </p>
      )}
      {problem && <Notice problem={problem} />}
      <ExportState {...written} />
    </>
  );
}
