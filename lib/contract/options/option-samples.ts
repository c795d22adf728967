// A sample of each option: its value with the options that it needs. A test sends every one through the contract.
import { type OptionReference, optionReference } from "./option-reference.ts";

type Sample = Readonly<Record<string, string>>;

/** Values that do not follow from the schema. */
const values: Readonly<Record<string, string>> = {
  url: "https://example.com",
  html: "<h1>Invoice 42</h1>",
  markdown: "# Hello",
  markdown_css: "h1 { color: teal }",
  base_url: "https://example.com/",
  attachment_name: "page.png",
  image_quality: "60",
  image_width: "640",
  image_height: "400",
  image_background: "#fbfaf6",
  viewport_width: "390",
  viewport_height: "844",
  device_scale_factor: "2",
  full_page_scroll_delay: "250",
  full_page_scroll_by: "800",
  full_page_max_height: "5000",
  full_page_slice_height: "2000",
  full_page_slice_overlap_height: "50",
  selector: "main",
  selector_all: ".card",
  selector_padding: "16",
  clip_x: "0",
  clip_y: "120",
  clip_width: "640",
  clip_height: "400",
  scroll_into_view: "#prices",
  scroll_into_view_adjust_top: "-80",
  wait_until: "networkidle",
  wait_for_selector: "#chart svg",
  wait_for_expression: "window.ready === true",
  fail_if_content_contains: "Page not found",
  headers: "X-Tenant: 7",
  cookies: "theme=dark; Path=/",
  http_auth_username: "me",
  http_auth_password: "secret",
  wait_for_selector_hidden: ".spinner",
  fail_if_content_missing: "Add to cart",
  fail_if_request_failed: "*/api/*",
  user_agent: "MyBot/1.0",
  authorization: "Bearer token",
  referer: "https://example.com/start",
  geolocation_latitude: "47.37",
  geolocation_longitude: "8.54",
  geolocation_accuracy: "50",
  proxy_bypass_hosts: "cdn.example.com",
  scripts: "document.title = 'Mine'",
  styles: "h1 { color: teal }",
  click: "#open-menu",
  hover: "#menu",
  hide_selectors: ".chat, .newsletter",
  block_requests: "*.example.net/*",
  block_resources: "font",
  scroll_by: "600",
  scroll_duration: "800",
  scroll_delay: "300",
  scroll_start_delay: "500",
  webhook_url: "https://you.example/captures",
  external_identifier: "order-7",
  cache_ttl: "3600",
  cache_stale_ttl: "600",
  page_clock: "2024-02-29T08:00:00Z",
  cache_key: "home-v2",
  storage_path: "shots/home",
  storage_bucket: "my-bucket",
  storage_endpoint: "https://storage.example.com",
  storage_region: "eu-central-1",
  storage_access_key_id: "AKIAEXAMPLE",
  storage_secret_access_key: "secret",
  storage_role_arn: "arn:aws:iam::123456789012:role/captures",
  storage_external_id: "acme",
  pdf_paper_width: "10cm",
  pdf_paper_height: "15cm",
  pdf_header_template: "<p class='title'></p>",
  pdf_footer_template: "<p class='pageNumber'></p>",
};

const clip: Sample = { clip_x: "0", clip_y: "120", clip_width: "640", clip_height: "400" };
const location: Sample = { geolocation_latitude: "47.37", geolocation_longitude: "8.54" };
const password: Sample = { http_auth_username: "me", http_auth_password: "secret" };
const bucket: Sample = { store: "true", storage_bucket: "my-bucket", storage_path: "shots/home" };
const role: Sample = { storage_role_arn: "arn:aws:iam::123456789012:role/captures" };
const keys: Sample = { storage_access_key_id: "AKIAEXAMPLE", storage_secret_access_key: "secret" };
const paper: Sample = { pdf_paper_width: "10cm", pdf_paper_height: "15cm" };

/** What else a request sends that has the option, by the start of its name. The first that fits applies. */
const requiredOptions: readonly (readonly [start: string, sample: Sample])[] = [
  ["markdown_", { markdown: "# Hello" }],
  ["base_url", { html: "<img src=logo.png>" }],
  ["image_quality", { format: "webp" }],
  ["image_fallback_format", { format: "webp" }],
  ["image_fit", { image_width: "400", image_height: "300" }],
  ["image_position", { image_fit: "cover", image_width: "400", image_height: "300" }],
  ["image_background", { image_fit: "contain", image_width: "400", image_height: "300" }],
  ["full_page_slice_", { full_page: "true", full_page_slices: "true", response_type: "json" }],
  ["full_page_slices", { full_page: "true", response_type: "json" }],
  ["full_page_", { full_page: "true" }],
  ["selector_all", {}],
  ["selector_", { selector: "main" }],
  ["clip_", clip],
  ["scroll_into_view_", { scroll_into_view: "#prices" }],
  ["scroll_into_view", {}],
  ["scroll_", { format: "mp4", video_scenario: "scroll" }],
  ["wait_for_selector_", { wait_for_selector: ".card" }],
  ["geolocation_", location],
  ["http_auth_", password],
  ["proxy_", { proxy: "http://proxy.example.com:8080" }],
  ["scripts_", { scripts: "document.querySelector('#next').click()" }],
  ["include_shadow_dom", { format: "html" }],
  ["accept_cookie_banners", { block_cookie_banners: "true" }],
  ["metadata_content_", { metadata_content: "true", response_type: "json" }],
  ["metadata_", { response_type: "json" }],
  ["webhook_url", { async: "true" }],
  ["webhook_", { async: "true", webhook_url: "https://you.example/captures" }],
  ["cache_stale_ttl", { cache_ttl: "3600" }],
  ["page_clock", { deterministic: "true" }],
  ["cache_key", { cache_ttl: "3600" }],
  ["cache_refresh", { cache_ttl: "3600" }],
  ["store", { ...bucket, ...role }],
  ["storage_access_key_id", { ...bucket, ...keys }],
  ["storage_secret_access_key", { ...bucket, ...keys }],
  ["storage_endpoint", { ...bucket, ...keys }],
  ["storage_", { ...bucket, ...role }],
  ["pdf_paper_width", { format: "pdf", ...paper }],
  ["pdf_paper_height", { format: "pdf", ...paper }],
];

/** A format of each kind, for options that do not apply to images. */
const formatOfKind: Readonly<Record<string, string>> = { video: "mp4", pdf: "pdf", document: "html" };

export const optionSamples: Readonly<Record<string, Sample>> = Object.fromEntries(
  optionReference().flatMap(({ options }) => options.map((option) => [option.name, sampleOf(option)])),
);

/** The option itself first, then what it needs. */
function sampleOf(option: OptionReference): Sample {
  const { name, only } = option;
  const [, others = {}] = requiredOptions.find(([start]) => name.startsWith(start)) ?? [];
  const kind = only && !only.includes("image") ? formatOfKind[only[0] ?? ""] : undefined;
  return {
    [name]: values[name] ?? sampleValue(option),
    ...(kind !== undefined && { format: kind }),
    ...omit(others, name),
  };
}

function omit(sample: Sample, name: string): Sample {
  return Object.fromEntries(Object.entries(sample).filter(([each]) => each !== name));
}

interface SchemaParts {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
  readonly items?: SchemaParts;
  readonly oneOf?: readonly SchemaParts[];
}

function sampleValue({ jsonSchema, defaultText }: OptionReference): string {
  const schema = jsonSchema as SchemaParts;
  const { type, enum: names = [], minimum, maximum, examples } = schema.items ?? schema.oneOf?.[0] ?? schema;
  if (type === "boolean") return defaultText === "true" ? "false" : "true";
  const [example] = examples ?? names.filter((each) => String(each) !== defaultText && each !== "");
  if (example !== undefined) return String(example);
  if (minimum !== undefined && maximum !== undefined) return String(Math.min(maximum, Math.max(minimum, 3)));
  return "text";
}
