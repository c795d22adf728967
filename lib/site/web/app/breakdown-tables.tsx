// Captures by format, host, and API key, as tables with bars; each row leads to its captures.
import type { Keys, UsageBreakdown } from "../../../../clients/typescript/src/generated/types.ts";
import { formatCount } from "./format.ts";
import { addressOf } from "./router.ts";

interface TablesProps {
  readonly breakdown: UsageBreakdown;
  readonly keys: Keys | undefined;
}

export function BreakdownTables({ breakdown, keys }: TablesProps) {
  const { total, is_complete, formats, hosts, api_keys } = breakdown;
  if (total === 0) return null;
  const labels = new Map(keys?.data.map(({ id, label }) => [String(id), label]));
  return (
    <section>
      <h2>What was captured</h2>
      <p class="note">
        {is_complete ? "All captures of these days." : `The newest ${formatCount(total)} captures of these days.`}
      </p>
      <div class="breakdown">
        <ShareTable title="Format" shares={formats} filter="format" total={total} />
        <ShareTable
          title="Host"
          shares={hosts}
          filter="url"
          total={total}
          textOf={(host) => host || "HTML, Markdown"}
        />
        <ShareTable
          title="API key"
          shares={api_keys}
          filter="api_key_id"
          total={total}
          textOf={(id) => (id === "0" ? "Dashboard" : (labels.get(id) ?? id))}
        />
      </div>
    </section>
  );
}

interface ShareTableProps {
  readonly title: string;
  readonly shares: UsageBreakdown["hosts"];
  /** The filter of the list of captures that a row leads to. */
  readonly filter: string;
  readonly total: number;
  readonly textOf?: (name: string) => string;
}

function ShareTable({ title, shares, filter, total, textOf = (name) => name }: ShareTableProps) {
  return (
    <table>
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
                <a href={addressOf(`captures?${new URLSearchParams({ [filter]: name })}`)}>{textOf(name)}</a>
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
