// The paths of the status page, and the object that answers each of them: no part of a request is in the address of an object.
import { statusKeys } from "../../service/status/status-objects.ts";
import { STATUS_PATH } from "../../site/site-files.ts";

export const statusObjects = [
  { path: STATUS_PATH, key: statusKeys.page, isPage: true },
  { path: `${STATUS_PATH}.json`, key: statusKeys.json, isPage: false },
  { path: `${STATUS_PATH}.atom`, key: statusKeys.feed, isPage: false },
] as const;
