// The options of captures with which the service checks itself: of a small page that loads nothing, and that no cache has.

/** Width and height of the picture in pixels. */
export const CHECKED_SIZE = 64;

/** `id` makes the page another one. The result is cached, which takes all kinds of writes that a capture can have. */
export function checkOptions(id: string) {
  return {
    html: `<body style="background: #0a7"><script>document.body.append("painted")</script><!-- ${id} -->`,
    viewport_width: CHECKED_SIZE,
    viewport_height: CHECKED_SIZE,
    timeout: 20,
    cache_ttl: 600,
  };
}
