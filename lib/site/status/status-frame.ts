// The status page without its content, which the build makes with the website, and what the objects of the page are made from it.
import { createHash } from "node:crypto";
import { statusKeys } from "../../service/status/status-objects.ts";
import type { StatusReport } from "../../service/status/status-report.ts";
import type { StatusObject } from "../../service/status/status-store.ts";
import type { BrowserAssets } from "../browser-assets.ts";
import { rawHtml } from "../html.ts";
import { assetUrl, layout } from "../layout.ts";
import { FILE_POLICY, pagePolicy } from "../page-headers.ts";
import { STATUS_PATH } from "../site-files.ts";
import { statusFeed } from "./status-feed.ts";
import { statusPage } from "./status-page.ts";

/** Stands for the content of the page. */
const CONTENT = "%STATUS%";

/** The page with placeholders for its content, and those of all pages. Its style sheet and its script are in it, since nothing else may answer. */
export function statusFrame(assets: BrowserAssets): string {
  const { style, script } = assets.status;
  return layout(assets, {
    path: STATUS_PATH,
    title: "Status",
    description: "Whether the service works now, the last 90 days by day, and incidents.",
    kind: "status",
    feed: `${STATUS_PATH}.atom`,
    inline: { style: rawHtml(style.replaceAll(/url\((["']?)\.\//g, `url($1${assetUrl("")}`)), script: rawHtml(script) },
    main: rawHtml(CONTENT),
  });
}

/** The objects of the page at a state of the service. `frame` is complete but for its content. */
export function statusObjects(frame: string, report: StatusReport, baseUrl: string): StatusObject[] {
  const policy = framePolicy(frame);
  const type = "text/html; charset=utf-8";
  const [before = "", after = ""] = frame.split(CONTENT, 2);
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  return [
    { key: statusKeys.json, type: "application/json; charset=utf-8", text: json, policy: FILE_POLICY },
    {
      key: statusKeys.feed,
      type: "application/atom+xml; charset=utf-8",
      text: statusFeed(report, baseUrl),
      policy: FILE_POLICY,
    },
    { key: statusKeys.frame, type, text: frame, policy },
    { key: statusKeys.page, type, text: `${before}${statusPage(report)}${after}`, policy },
  ];
}

/** The policy of the page: that of every page, with the hashes of its own style sheet and script. */
function framePolicy(frame: string): string {
  const hashOf = (start: string, end: string) => {
    const [, after = ""] = frame.split(start, 2);
    const [text = ""] = after.split(end, 1);
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  };
  return pagePolicy({
    styles: [hashOf("<style>", "</style>")],
    scripts: [hashOf('<script type="module">', "</script>")],
  });
}
