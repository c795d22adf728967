// The filters of the list of captures. Each is a parameter of the address.
import type { Keys } from "../../../../../clients/typescript/src/generated/types.ts";
import { formats } from "../../../../contract/options/formats.ts";
import { problemCodes } from "../../../../contract/problems/problem-kinds.ts";
import { DateFilter, Filters, TextFilter } from "../../ui/filters.tsx";
import { SelectField } from "../../ui/form.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { loggedErrorCodes } from "../logged-errors.ts";

const LIST_FILTERS = ["status", "api_key_id", "from", "to"] as const;
/** Filters that no counter knows: with one of them the log is searched, and has no page numbers. */
const SEARCH_FILTERS = ["error_code", "problem", "format", "cached", "asynchronous", "url"] as const;

/** The filters that a query sets. */
export function captureFilters(query: URLSearchParams): URLSearchParams {
  return pick(query, [...LIST_FILTERS, ...SEARCH_FILTERS]);
}

/** The path of the API for the captures of a query: their list, or their search. */
export function capturesPath(query: URLSearchParams): { readonly path: string; readonly isNewest: boolean } {
  const filters = captureFilters(query);
  const isSearch = SEARCH_FILTERS.some((name) => filters.has(name));
  const place = pick(query, isSearch ? ["before"] : ["page"]);
  return {
    path: `/api/v1/usage${isSearch ? "/search" : ""}?${new URLSearchParams([...filters, ...place])}`,
    isNewest: place.size === 0 || place.get("page") === "1",
  };
}

function pick(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])));
}

type SelectOptions = readonly (readonly [value: string, text: string])[];

interface CaptureFiltersProps {
  readonly filters: URLSearchParams;
  /** Sets a filter, or removes it when the value is empty; as a step of the history of its own, or as a part of the last one. */
  readonly onChange: (name: string, value: string, isNewStep: boolean) => void;
  readonly onClear: () => void;
}

export function CaptureFilters({ filters, onChange, onClear }: CaptureFiltersProps) {
  const keys = useResource<Keys>("/api/v1/keys");
  const shown = (name: string) => filters.get(name) ?? "";
  const select = (name: string, label: string, options: SelectOptions) => ({
    name,
    field: (
      <SelectField
        id={`filter-${name}`}
        label={label}
        value={shown(name)}
        options={[["", "All"], ...options]}
        onChoose={(value) => onChange(name, value, true)}
      />
    ),
  });
  const date = (name: string, label: string) => ({
    name,
    field: (
      <DateFilter
        name={name}
        label={label}
        value={shown(name)}
        onChange={(value, isNewStep) => onChange(name, value, isNewStep)}
      />
    ),
  });
  return (
    <Filters
      set={[...filters.keys()]}
      onClear={onClear}
      main={
        <TextFilter
          name="url"
          label="Address contains"
          placeholder="example.com/pricing"
          value={shown("url")}
          onChange={(value, isNewStep) => onChange("url", value, isNewStep)}
        />
      }
      frequent={[
        select("status", "Status", [
          ["success", "Succeeded"],
          ["failed", "Failed"],
        ]),
        select("format", "Format", named(formats)),
      ]}
      others={[
        select("error_code", "Error", withCurrent(loggedErrorCodes, filters.get("error_code"))),
        select("problem", "Problem", withCurrent(problemCodes, filters.get("problem"))),
        select(
          "api_key_id",
          "API key",
          (keys.data?.data ?? []).map(({ id, label }) => [String(id), label]),
        ),
        select("cached", "Cache", [
          ["true", "From the cache"],
          ["false", "Rendered"],
        ]),
        select("asynchronous", "Mode", [
          ["true", "Asynchronous"],
          ["false", "Synchronous"],
        ]),
        date("from", "From (UTC)"),
        date("to", "To (UTC)"),
      ]}
    />
  );
}

const named = (values: readonly string[]): SelectOptions => values.map((each) => [each, each]);

/** The values in their order, with that of the address, which can be another. */
function withCurrent(values: readonly string[], current: string | null): SelectOptions {
  return named([...new Set([...(current ? [current] : []), ...values])].toSorted());
}
