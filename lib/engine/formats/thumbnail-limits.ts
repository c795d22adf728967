// The sizes of the small pictures of results, apart from the code that decodes images: who stores them knows these limits alone.

/** Most bytes of a thumbnail. */
export const MAX_THUMBNAIL_BYTES = 15_000;
/** Most bytes of the picture of a report. */
export const MAX_REPORT_PICTURE_BYTES = 500_000;
