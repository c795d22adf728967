// Options for uploading the result to the customer's own S3-compatible bucket.
import * as v from "valibot";
import { choice, coerced, flag, shown, text } from "../coercion.ts";
import { option } from "../option.ts";
import { tooLong } from "../wording.ts";

/** Leaves room for the file extension: S3 keys have at most 1,024 bytes. */
const MAX_PATH_BYTES = 1_000;

/** Rejects path traversal, empty segments, backslashes and control characters. */
const isPlainPath = (path: string) =>
  !/^\/|\/$|\/\/|\p{Cc}|\\/u.test(path) && !path.split("/").some((part) => part === "." || part === "..");

/** Rejects URLs with a user name, password, query or fragment: they would be lost or, as a password, logged. */
function isEndpoint(address: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:\/\/[^/]/i.test(address) || !/^https?:$/.test(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === "") && !/[?#@\s]/.test(address);
}

const ROLE = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;

/** Text that is sent in a header unchanged. */
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

const bucket = { store: "true", storage_bucket: "my-bucket", storage_path: "shots/home" };
const role = { storage_role_arn: "arn:aws:iam::123456789012:role/captures" };
const accessKey = { storage_access_key_id: "AKIAEXAMPLE", storage_secret_access_key: "secret" };

export const storageOptions = {
  store: v.optional(
    option(flag(), {
      description:
        "Also upload the result to your own bucket, before the response. Requires `storage_path`, " +
        "`storage_bucket`, and either a role or an access key. If your storage refuses the upload before it gets a byte, the capture " +
        "fails and isn't billed. If the upload fails later, the capture counts, and you get its result with `storage_error`.",
      sampleWith: { ...bucket, ...role },
    }),
    false,
  ),
  storage_path: v.optional(
    option(
      v.pipe(
        text(900),
        v.check(isPlainPath, "must be a path such as shots/home, without '..' and without a slash at the start or end"),
        v.check(
          (path) => path.isWellFormed() && new TextEncoder().encode(path).length <= MAX_PATH_BYTES,
          tooLong(MAX_PATH_BYTES, "bytes in UTF-8"),
        ),
      ),
      {
        description: "Object key in the bucket, without the file extension, which follows from the format.",
        needs: ["store"],
        sample: "shots/home",
      },
    ),
  ),
  storage_bucket: v.optional(
    option(v.pipe(text(63), v.regex(/^[a-z0-9][a-z0-9.-]+[a-z0-9]$/, "must be a bucket name")), {
      description: "Name of the bucket.",
      needs: ["store"],
      sample: "my-bucket",
    }),
  ),
  storage_endpoint: v.optional(
    option(
      v.pipe(
        text(500),
        v.check(isEndpoint, "must be the URL of a storage service such as https://storage.example.com"),
      ),
      {
        description: "URL of an S3-compatible storage service. It must be public and use https.",
        otherwise: "that of Amazon S3 in `storage_region`",
        needs: ["store"],
        sample: "https://storage.example.com",
        sampleWith: { ...bucket, ...accessKey },
      },
    ),
  ),
  storage_region: v.optional(
    option(v.pipe(text(50), v.regex(/^[a-z0-9](-?[a-z0-9])*$/, "must be a region such as eu-central-1")), {
      description: "Region of the bucket.",
      needs: ["store"],
      sample: "eu-central-1",
    }),
    "us-east-1",
  ),
  storage_access_key_id: v.optional(
    option(credential(200), {
      description: "ID of an access key that can put objects into the bucket. Never stored.",
      secret: true,
      needs: ["store"],
      sample: "AKIAEXAMPLE",
      sampleWith: { ...bucket, ...accessKey },
    }),
  ),
  storage_secret_access_key: v.optional(
    option(credential(500), {
      description: "Secret of the access key. Never stored.",
      secret: true,
      needs: ["store"],
      sample: "secret",
      sampleWith: { ...bucket, ...accessKey },
    }),
  ),
  storage_role_arn: v.optional(
    option(v.pipe(text(600), v.regex(ROLE, "must be an IAM role ARN such as arn:aws:iam::123456789012:role/name")), {
      description:
        "AWS IAM role that the service assumes to upload the object, instead of an access key. Its trust policy " +
        "must allow the service to assume it, and must require the external ID, which is the id of your account.",
      needs: ["store"],
      sample: "arn:aws:iam::123456789012:role/captures",
    }),
  ),
  storage_external_id: v.optional(
    option(v.pipe(text(200), v.regex(/^[\w+=,.@:/-]+$/, "must consist of letters, digits and + = , . @ : / _ -")), {
      description:
        "Appended to your account id and a colon in the external ID. No other account can send the same external " +
        "ID.",
      needs: ["storage_role_arn"],
      sample: "acme",
    }),
  ),
  storage_acl: v.optional(
    option(
      coerced<"" | "public-read">({ type: "string", enum: ["", "public-read"] }, (sent) =>
        sent === "" || sent === "public-read"
          ? { value: sent }
          : { problem: `must be empty or public-read, not ${shown(sent)}` },
      ),
      {
        description: "Access control list (ACL) of the object: empty for none, or `public-read` to make it public.",
        needs: ["store"],
      },
    ),
  ),
  storage_class: v.optional(
    option(choice(storageClasses), {
      description: "Storage class of the object.",
      otherwise: "that of the bucket",
      needs: ["store"],
    }),
  ),
  storage_return_location: v.optional(
    option(flag(), {
      description:
        "Return the URL of the object: as `storage_location` in JSON, and in the header `X-Storage-Location`.",
      needs: ["store"],
    }),
    false,
  ),
};
