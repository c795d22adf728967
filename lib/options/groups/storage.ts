// The caller's own storage: a bucket of theirs that a capture is put into, and how it is reached.
import * as v from "valibot";
import { choice, coerced, flag, shown, text } from "../coercion.ts";
import { option } from "../option.ts";

/** The object's name and its extension fit into the 1,024 bytes that S3 allows. */
const MAX_PATH_BYTES = 1_000;

/** What could lead out of where the path says it is, or be shown as something else. */
const isPlainPath = (path: string) =>
  !/^\/|\/$|\/\/|\p{Cc}|\\/u.test(path) && !path.split("/").some((part) => part === "." || part === "..");

/** A service of its own at an address: whatever else an address can hold would be lost or, as a password, be logged. */
function isEndpoint(address: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:\/\/[^/]/i.test(address) || !/^https?:$/.test(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === "") && !/[?#@\s]/.test(address);
}

const ROLE = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;

/** Text that goes into a header as it is. */
const credential = (longest: number) =>
  v.pipe(text(longest, { secret: true }), v.regex(/^[\x21-\x7e]+$/, "must consist of visible ASCII characters"));

export const storageClasses = [
  "standard",
  "reduced_redundancy",
  "standard_ia",
  "onezone_ia",
  "intelligent_tiering",
  "glacier",
  "deep_archive",
  "glacier_ir",
] as const;

export const storageOptions = {
  store: v.optional(
    option(flag(), {
      description:
        "Put the result into a bucket of yours as well, before the answer. Needs `storage_path`, `storage_bucket`, and " +
        "either a role or a pair of keys. A capture that cannot be put there fails and costs nothing.",
    }),
    false,
  ),
  storage_path: v.optional(
    option(
      v.pipe(
        text(900),
        v.check(isPlainPath, "must be a path such as shots/home, without '..', and without a slash at either end"),
        v.check(
          (path) => path.isWellFormed() && new TextEncoder().encode(path).length <= MAX_PATH_BYTES,
          `must have at most ${MAX_PATH_BYTES} bytes as UTF-8`,
        ),
      ),
      { description: "Name of the object in the bucket, without its extension, which follows from the format." },
    ),
  ),
  storage_bucket: v.optional(
    option(v.pipe(text(63), v.regex(/^[a-z0-9][a-z0-9.-]+[a-z0-9]$/, "must be the name of a bucket")), {
      description: "Name of the bucket.",
    }),
  ),
  storage_endpoint: v.optional(
    option(
      v.pipe(
        text(500),
        v.check(isEndpoint, "must be the address of a storage service such as https://storage.example.com"),
      ),
      {
        description: "Address of a storage service that speaks the S3 protocol. It must be public and https.",
        otherwise: "that of Amazon S3 in `storage_region`",
      },
    ),
  ),
  storage_region: v.optional(
    option(v.pipe(text(50), v.regex(/^[a-z0-9](-?[a-z0-9])*$/, "must be a region such as eu-central-1")), {
      description: "Region of the bucket.",
      needsOthers: true,
    }),
    "us-east-1",
  ),
  storage_access_key_id: v.optional(
    option(credential(200), {
      description: "Access key that may put objects into the bucket. It is stored nowhere.",
      secret: true,
    }),
  ),
  storage_secret_access_key: v.optional(
    option(credential(500), {
      description: "Secret of the access key. It is stored nowhere.",
      secret: true,
    }),
  ),
  storage_role_arn: v.optional(
    option(v.pipe(text(600), v.regex(ROLE, "must be a role such as arn:aws:iam::123456789012:role/name")), {
      description:
        "Role of AWS that is assumed to put the object, in place of a pair of keys. Its trust policy must allow that to " +
        "the service, and should insist on the external id, which is the number of your account.",
    }),
  ),
  storage_external_id: v.optional(
    option(v.pipe(text(200), v.regex(/^[\w+=,.@:/-]+$/, "must consist of letters, digits and + = , . @ : / _ -")), {
      description:
        "Follows the number of your account and a colon in the external id. No other account can send the same one.",
    }),
  ),
  storage_acl: v.optional(
    option(
      coerced<"" | "public-read">({ type: "string", enum: ["", "public-read"] }, (sent) =>
        sent === "" || sent === "public-read"
          ? { value: sent }
          : { refusal: `must be empty or public-read, not ${shown(sent)}` },
      ),
      { description: "Access control list of the object: none, or `public-read` for everybody to read it." },
    ),
  ),
  storage_class: v.optional(
    option(choice(storageClasses), { description: "Storage class of the object.", otherwise: "that of the bucket" }),
  ),
  storage_return_location: v.optional(
    option(flag(), {
      description: "Tell the address of the object: as `storage_location` in JSON, and in `X-Storage-Location`.",
    }),
    false,
  ),
};
