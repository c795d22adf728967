// The menu of the last requests of this browser.
import type { HistoryEntry } from "./history.ts";

interface HistoryMenuProps {
  readonly entries: readonly HistoryEntry[];
  readonly onChoose: (entry: HistoryEntry) => void;
  readonly onClear: () => void;
}

export function HistoryMenu({ entries, onChoose, onClear }: HistoryMenuProps) {
  return (
    <>
      <button type="button" class="history-button" popovertarget="history" disabled={entries.length === 0}>
        History <span class="tally">{entries.length > 0 && entries.length}</span>
      </button>
      <div id="history" class="history" popover="auto">
        <ol>
          {entries.map((entry) => (
            <li key={entry.sentAt}>
              <button type="button" popovertarget="history" popovertargetaction="hide" onClick={() => onChoose(entry)}>
                <span class={entry.status >= 200 && entry.status < 300 ? "status" : "status status-bad"}>
                  {entry.status || "–"}
                </span>
                <span class="history-text">{describeRequest(entry)}</span>
                <time>{new Date(entry.sentAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}</time>
              </button>
            </li>
          ))}
        </ol>
        <p class="note">Kept in this browser, without secret options.</p>
        <button type="button" class="quiet" popovertarget="history" popovertargetaction="hide" onClick={onClear}>
          Clear
        </button>
      </div>
    </>
  );
}

function describeRequest({ options: { url, html, markdown, ...options } }: HistoryEntry): string {
  const source = typeof url === "string" ? url : typeof html === "string" ? "HTML" : markdown ? "Markdown" : "";
  const rest = Object.entries(options).map(([name, value]) =>
    value === true ? name : `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  return [source, ...rest].join(" · ").slice(0, 120);
}
