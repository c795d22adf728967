// Names of options in the documentation of comparable services, each with the name that the option has here.
import type { CaptureOptionName } from "./groups/all.ts";

type Names = Readonly<Record<string, CaptureOptionName | readonly [option: CaptureOptionName, note: string]>>;

const inSeconds = "in seconds";
const renewed = "which captures again, together with 'cache_ttl'";

/** https://screenshotone.com/docs/options */
const screenshotOne: Names = {
  block_socials_and_chats: ["block_chats", "or 'block_socials'"],
  geolocation: ["geolocation_latitude", "with 'geolocation_longitude'"],
  ip_country_code: ["proxy", "with a proxy in that country"],
  scroll_to: "scroll_into_view",
};

/** Names that callers often write, and the short flags of our command line. */
const common: Names = {
  device: "viewport_device",
  hide: "hide_selectors",
  language: "locale",
  lang: "locale",
  script: "scripts",
  style: "styles",
  timezone: "time_zone",
};

/** https://urlbox.com/docs/options */
const urlbox: Names = {
  accept_lang: "locale",
  accuracy: "geolocation_accuracy",
  bg_color: ["styles", "with a background for the page"],
  block_fetch: ["block_resources", "with the value fetch"],
  block_fonts: ["block_resources", "with the value font"],
  block_images: ["block_resources", "with the value image"],
  block_medias: ["block_resources", "with the value media"],
  block_scripts: ["block_resources", "with the value script"],
  block_styles: ["block_resources", "with the value stylesheet"],
  block_urls: "block_requests",
  click_all: "click",
  cookie: "cookies",
  css: "styles",
  detect_full_height: "full_page_expand_overflow",
  disable_js: ["javascript", "with the value false"],
  download: "attachment_name",
  fail_if_selector_missing: "error_on_selector_not_found",
  fail_on_4xx: ["fail_on_status", "with the value 400-499"],
  fail_on_5xx: ["fail_on_status", "with the value 500-599"],
  force: ["cache_refresh", renewed],
  header: "headers",
  height: "viewport_height",
  hide_cookie_banners: "block_cookie_banners",
  hide_selector: "hide_selectors",
  img_bg: "image_background",
  img_fit: "image_fit",
  img_position: "image_position",
  js: "scripts",
  latitude: "geolocation_latitude",
  longitude: "geolocation_longitude",
  max_height: "full_page_max_height",
  media: "media_type",
  pdf_background: "pdf_print_background",
  pdf_orientation: ["pdf_landscape", "with the value true or false"],
  pdf_page_height: "pdf_paper_height",
  pdf_page_range: "pdf_page_ranges",
  pdf_page_size: "pdf_paper_format",
  pdf_page_width: "pdf_paper_width",
  quality: "image_quality",
  retina: ["device_scale_factor", "with the value 2"],
  s3_bucket: "storage_bucket",
  s3_endpoint: "storage_endpoint",
  s3_path: "storage_path",
  s3_region: "storage_region",
  s3_storageclass: "storage_class",
  scroll_increment: "full_page_scroll_by",
  scroll_to: "scroll_into_view",
  skip_scroll: ["full_page_scroll", "with the value false"],
  thumb_height: "image_height",
  thumb_width: "image_width",
  transparent: "omit_background",
  ttl: "cache_ttl",
  tz: "time_zone",
  unique: "cache_key",
  use_s3: "store",
  wait_for: "wait_for_selector",
  wait_timeout: ["timeout", inSeconds],
  wait_to_leave: "wait_for_selector_hidden",
  width: "viewport_width",
};

/** https://apiflash.com/documentation */
const apiFlash: Names = {
  crop: ["clip_x", "with 'clip_y', 'clip_width', and 'clip_height'"],
  element: "selector",
  element_overlap: "selector_algorithm",
  extract_html: ["format", "with the value html, or 'metadata_content'"],
  extract_text: ["format", "with the value text, or 'metadata_content'"],
  fresh: ["cache_refresh", renewed],
  no_ads: "block_ads",
  no_cookie_banners: "block_cookie_banners",
  no_tracking: "block_trackers",
  s3_access_key_id: "storage_access_key_id",
  s3_key: "storage_path",
  s3_secret_key: "storage_secret_access_key",
  scale_factor: "device_scale_factor",
  scroll_page: "full_page_scroll",
  thumbnail_width: "image_width",
};

/** https://docs.browserless.io/rest-apis/screenshot-api and the types of Puppeteer that its JSON has. */
const browserless: Names = {
  addscripttag: "scripts",
  addstyletag: "styles",
  authenticate: ["http_auth_username", "with 'http_auth_password'"],
  bestattempt: ["on_timeout", "with the value capture"],
  clip: ["clip_x", "with 'clip_y', 'clip_width', and 'clip_height'"],
  displayheaderfooter: ["pdf_header_template", "or 'pdf_footer_template'"],
  emulatemediatype: "media_type",
  encoding: ["response_type", "with the value base64"],
  full: "full_page",
  gotooptions: ["wait_until", "and 'navigation_timeout'"],
  hastouch: "viewport_has_touch",
  islandscape: "viewport_landscape",
  ismobile: "viewport_mobile",
  landscape: ["viewport_landscape", "or 'pdf_landscape'"],
  margin: "pdf_margin",
  mobile: "viewport_mobile",
  options: ["format", "with each option by its own name"],
  pageranges: "pdf_page_ranges",
  printbackground: "pdf_print_background",
  rejectrequestpattern: "block_requests",
  rejectresourcetypes: "block_resources",
  scale: ["device_scale_factor", "or 'pdf_scale'"],
  setextrahttpheaders: "headers",
  setjavascriptenabled: "javascript",
  type: "format",
  viewport: ["viewport_width", "with 'viewport_height'"],
  waitforevent: "wait_for_expression",
  waitforfunction: "wait_for_expression",
  waitfortimeout: ["delay", inSeconds],
  waituntil: "wait_until",
};

/** https://www.screenshotapi.net/docs/apiReference */
const screenshotApi: Names = {
  block_chat_widgets: "block_chats",
  block_js: ["javascript", "with the value false"],
  block_specific_requests: "block_requests",
  block_tracking: "block_trackers",
  enable_caching: "cache",
  fail_on_error: ["ignore_host_errors", "which is false unless you send it"],
  file_type: "format",
  lazy_load: "full_page_scroll",
  output: ["response_type", "with the value json for a link"],
  remove_selector: "hide_selectors",
  scrolling_screenshot: ["video_scenario", "with 'format' mp4, webm, or gif"],
  wait_for_event: "wait_until",
};

/** https://www.thum.io/documentation/api/url */
const thumIo: Names = {
  allow_jpg: ["format", "with the value jpeg"],
  crop: ["clip_x", "with 'clip_y', 'clip_width', and 'clip_height'"],
  fullpage: "full_page",
  max_age: ["cache_ttl", inSeconds],
  wait: ["delay", inSeconds],
};

/** The names of each service. */
export const otherServices = { screenshotOne, urlbox, apiFlash, browserless, screenshotApi, thumIo } as const;

/** All names. Where two services mean different things by a name, the later one decides. */
export const otherNames: readonly (readonly [name: string, option: CaptureOptionName, note?: string])[] = [
  common,
  thumIo,
  screenshotApi,
  browserless,
  apiFlash,
  urlbox,
  screenshotOne,
]
  .flatMap((names) => Object.entries(names))
  .map(([name, row]) => (typeof row === "string" ? [name, row] : [name, ...row]));
