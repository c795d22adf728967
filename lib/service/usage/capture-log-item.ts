// Items of capture logs. They are most of what a capture leaves in a table for long, so an item says nothing twice: its key has the
// account, the id, and the time.
import * as v from "valibot";
import { logKey } from "../aws/table-keys.ts";
import { type CaptureLog, CaptureLogSchema, createCaptureLog, type LogTime, logTime } from "./capture-log.ts";

/** Fields that an item leaves out while they have these values. */
const defaults: Readonly<Record<string, unknown>> = {
  http_status_code: null,
  error_message: null,
  cached: false,
  asynchronous: false,
  group_id: null,
  output_name: null,
  webhook_target: null,
  thumbnail: null,
  file_size_bytes: 0,
};

/** Returns the item of a log entry. The list filters by `status` and `api_key_id`, which every item has. */
export function toLogItem(
  { id, user_id, created_at: _, api_key, options, ...log }: CaptureLog,
  { month }: Pick<LogTime, "month"> = logTime(id),
) {
  const { id: keyId, ...key } = api_key;
  const { url, ...otherOptions } = options;
  const isOptionUrl = url === log.url;
  return {
    ...logKey(user_id, month, id),
    ...Object.fromEntries(
      Object.entries(log).filter(([name, value]) => !(name in defaults) || defaults[name] !== value),
    ),
    api_key: keyId === log.api_key_id ? key : api_key,
    options: isOptionUrl ? otherOptions : options,
    ...(isOptionUrl && { is_option_url: true }),
  };
}

const StoredLog = v.looseObject({
  pk: v.string(),
  sk: v.string(),
  url: v.string(),
  api_key_id: v.number(),
  api_key: v.looseObject({}),
  options: v.record(v.string(), v.unknown()),
  /** True when the option `url` was the address in `url`. */
  is_option_url: v.optional(v.boolean(), false),
});

/** Returns the log entry of an item, also of one that was written with all fields. Throws for an item of another shape. */
export function fromLogItem(item: unknown): CaptureLog {
  const { pk, sk, is_option_url, options, api_key, ...log } = v.parse(StoredLog, item);
  const { url, api_key_id } = log;
  const event = v.parse(v.omit(CaptureLogSchema, ["id", "created_at"]), {
    ...defaults,
    ...log,
    user_id: Number(pk.split("#")[1]),
    options: is_option_url ? { url, ...options } : options,
    api_key: { id: api_key_id, ...api_key },
  });
  return createCaptureLog(Number(sk), event);
}
