// States in a word: of an account, of a capture, and whose failure it is.
import { planName } from "../ui/format.ts";
import type { AccountRow } from "./answers.ts";

type AccountState = Pick<AccountRow, "plan" | "requested_plan" | "suspension">;

/** The plan, the one that the owner asks for, and whether the account is suspended. */
export function AccountBadges({ plan, requested_plan, suspension }: AccountState) {
  return (
    <span class="badges">
      <span class="badge">{planName(plan)}</span>
      {requested_plan !== null && <span class="badge badge-processing">wants {planName(requested_plan)}</span>}
      {suspension !== null && <span class="badge badge-failed">suspended</span>}
    </span>
  );
}

const blames: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  caller: ["caller", "The request, its rules, or its limits caused it."],
  target: ["page", "The captured page or its server caused it."],
  us: ["service", "The service caused it."],
};

export function BlameBadge({ blame }: { readonly blame: string }) {
  const [name, meaning] = blames[blame] ?? [blame, ""];
  return (
    <span class={`badge ${blame === "us" ? "badge-failed" : ""}`} title={meaning}>
      {name}
    </span>
  );
}

export function StatusBadge({ status, cached = false }: { readonly status: string; readonly cached?: boolean }) {
  return <span class={`badge badge-${status}`}>{status === "success" ? (cached ? "cached" : "ok") : status}</span>;
}
