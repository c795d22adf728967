// How long a rendering in another function is waited for.
import { VIDEO_TIMEOUT_S } from "../../contract/options/groups/waiting.ts";

/** Milliseconds after its timeout within which a capture has ended and its result was read, or its renderer has failed. */
export const RENDERING_GRACE_MS = 20_000;

/** The longest wait for a rendering: a capture with the longest timeout, and the grace. */
export const MAX_RENDERING_MS = VIDEO_TIMEOUT_S * 1000 + RENDERING_GRACE_MS;
