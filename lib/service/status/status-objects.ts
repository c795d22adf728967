// The objects of the status page in the results bucket, which API Gateway serves without any function.
import { STATUS_PREFIX } from "../results/lifetime-class.ts";

/** Keys of the objects. The frame is the page without its content, for commands that render it where the website isn't built. */
export const statusKeys = {
  page: `${STATUS_PREFIX}/index.html`,
  json: `${STATUS_PREFIX}/status.json`,
  feed: `${STATUS_PREFIX}/status.atom`,
  frame: `${STATUS_PREFIX}/frame.html`,
} as const;

/** The metadata of an object with its `Content-Security-Policy`, which API Gateway sends as a header. */
export const POLICY_METADATA = "content-security-policy";
