// What a decoder of H.264 is told before the first frame (ISO/IEC 14496-15, AVCDecoderConfigurationRecord).

/** Where the record has the level, and where its first parameter set, which begins after 8 bytes, has it again. */
const LEVEL = 3;
const LEVEL_OF_PARAMETER_SET = 8 + 3;

/**
 * The record with a level at least as high as that of `codec`, such as `avc1.64001f`. OpenH264 takes the lowest one that
 * fits, down to 1b, which in this profile is written as 9 and which Chromium, among others, takes for no level at all.
 */
export function withLevel(record: Uint8Array, codec: string): Uint8Array {
  const level = Math.max(Number.parseInt(codec.slice(-2), 16), record[LEVEL] ?? 0);
  const raised = Uint8Array.from(record);
  raised[LEVEL] = level;
  raised[LEVEL_OF_PARAMETER_SET] = level;
  return raised;
}
