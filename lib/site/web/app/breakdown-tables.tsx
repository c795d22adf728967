// Captures by format, host, and API key, as tables with bars; each row leads to its captures.
import type { Keys, UsageBreakdown } from "../../../../clients/typescript/src/generated/types.ts";
import { BreakableText } from "../ui/breakable-text.tsx";
import { countText, formatCount } from "../ui/format.ts";
import { addressOf } from "../ui/router.ts";

interface TablesProps {
  readonly breakdown: UsageBreakdown;
  readonly keys: Keys | undefined;
  /** The filter of the list of captures that has all of these. */
  readonly filter: Readonly<Record<string, string>>;
}

export function BreakdownTables({ breakdown, keys, filter }: TablesProps) {
  const { total, is_complete, formats, hosts, api_keys } = breakdown;
  if (total === 0) return null;
  const labels = new Map(keys?.data.map(({ id, label }) => [String(id), label]));
  return (
    <section>
      <h2>What was captured</h2>
      <p class="note">
        {is_complete ? "All captures of these days." : `The newest ${countText(total, "capture")} of these days.`}
      </p>
      <div class="breakdown">
        <ShareTable
          title="Format"
          shares={formats}
          total={total}
          addressFor={(format) => capturesWith({ ...filter, format })}
        />
        <ShareTable
          title="Host"
          shares={hosts}
          total={total}
          addressFor={(host) => capturesWith({ ...filter, url: `://${host}` })}
          textOf={(host) => host || "HTML, Markdown"}
        />
        <ShareTable
          title="API key"
          shares={api_keys}
          total={total}
          addressFor={(api_key_id) => capturesWith({ ...filter, api_key_id })}
          textOf={(id) => (id === "0" ? "Dashboard" : (labels.get(id) ?? id))}
        />
      </div>
    </section>
  );
}

function capturesWith(filter: Readonly<Record<string, string>>): string {
  return addressOf(`captures?${new URLSearchParams(filter)}`);
}

interface ShareTableProps {
  readonly title: string;
  readonly shares: UsageBreakdown["hosts"];
  readonly total: number;
  /** The address of the captures of a row. */
  readonly addressFor: (name: string) => string;
  readonly textOf?: (name: string) => string;
}

function ShareTable({ title, shares, total, addressFor, textOf = (name) => name }: ShareTableProps) {
  return (
    <table class="shares">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Captures</th>
          <th scope="col">Failed</th>
        </tr>
      </thead>
      <tbody>
        {shares.map(({ name, total: count, failed }) => (
          <tr key={name}>
            <th scope="row">
              {name === "" ? (
                textOf(name)
              ) : (
                <a href={addressFor(name)}>
                  <BreakableText text={textOf(name)} />
                </a>
              )}
              <meter min={0} max={total} value={count} aria-hidden="true" />
            </th>
            <td>{formatCount(count)}</td>
            <td>{formatCount(failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
