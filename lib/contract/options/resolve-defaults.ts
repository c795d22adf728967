// Defaults that depend on other options. A default that is one value stands in the option's own entry.
import type * as v from "valibot";
import { formatKind, isVideoFormat } from "./formats.ts";
import type { captureOptionEntries } from "./groups/all.ts";
import { DEFAULT_CACHE_TTL_S } from "./groups/delivery.ts";
import { DEFAULT_VIDEO_FPS } from "./groups/video.ts";
import { ERROR_STATUSES, type StatusRange } from "./groups/waiting.ts";

/** Valid options, in which only defaults that depend on nothing are filled in. */
export type ParsedOptions = v.InferOutput<v.ObjectSchema<typeof captureOptionEntries, undefined>>;

type Background = NonNullable<ParsedOptions["image_background"]>;

/** Options whose default depends on others. Those with `undefined` keep a meaning of their own: nothing is emulated. */
interface DependentDefaults {
  readonly cache_ttl: number;
  readonly dark_mode: boolean | undefined;
  readonly device_scale_factor: number;
  readonly disable_animations: boolean;
  readonly fail_on_status: readonly StatusRange[];
  readonly image_background: Background;
  readonly media_type: ParsedOptions["media_type"];
  readonly reduced_motion: boolean | undefined;
  readonly scroll_start_delay: number;
  readonly self_repair: boolean;
  readonly selector_scroll_into_view: boolean;
  readonly video_fps: number;
  readonly viewport_has_touch: boolean;
  readonly viewport_mobile: boolean;
}

/** Valid options with every default filled in; an option that is undefined was not sent, and nothing stands for it. */
export type ResolvedOptions = Readonly<Omit<ParsedOptions, keyof DependentDefaults> & DependentDefaults> & {
  /** No option: set for captures with an API key for tests, whose results carry a mark. */
  readonly test_mark?: true;
  /** No option: with `self_repair`, the names of the options that were sent, which a second attempt does not change. */
  readonly sent_options?: readonly string[];
};

/** False where a second attempt can't be like the first, or has no time. */
export function mayRepair({ deterministic, on_timeout }: Pick<ParsedOptions, "deterministic" | "on_timeout">): boolean {
  return !deterministic && on_timeout !== "capture";
}

/** True for a result that shows no motion: what moves would be caught half-way, by scrolling even where animations play on. */
function isStill({ format, full_page, disable_animations = !isVideoFormat(format) }: ParsedOptions): boolean {
  return full_page || formatKind(format) === "pdf" || (disable_animations && !isVideoFormat(format));
}

const NO_DEVICE = { scale: 1, mobile: false, touch: false };

/** Fills in the defaults that depend on other options. */
export function resolveDefaults(options: ParsedOptions): ResolvedOptions {
  const { format, viewport_device: device = NO_DEVICE } = options;
  const startDelayMs = options.scroll_start_immediately ? 0 : options.scroll_delay;
  const defaults: DependentDefaults = {
    cache_ttl: options.cache ? DEFAULT_CACHE_TTL_S : 0,
    dark_mode: options.markdown_theme === "dark" ? true : undefined,
    device_scale_factor: device.scale,
    disable_animations: !isVideoFormat(format),
    fail_on_status: options.ignore_host_errors ? [] : ERROR_STATUSES,
    image_background: options.omit_background ? "transparent" : "white",
    media_type: formatKind(format) === "pdf" ? "print" : undefined,
    reduced_motion: isStill(options) ? true : undefined,
    scroll_start_delay: startDelayMs,
    selector_scroll_into_view: options.selector_algorithm !== "clip",
    self_repair: options.min_quality !== undefined && mayRepair(options),
    video_fps: isVideoFormat(format) ? DEFAULT_VIDEO_FPS[format] : DEFAULT_VIDEO_FPS.mp4,
    viewport_has_touch: device.touch,
    viewport_mobile: device.mobile,
  };
  const isDefined = ([, value]: readonly [string, unknown]) => value !== undefined;
  const resolved = { ...defaults, ...Object.fromEntries(Object.entries(options).filter(isDefined)) };
  return Object.fromEntries(Object.entries(resolved).filter(isDefined)) as unknown as ResolvedOptions;
}
