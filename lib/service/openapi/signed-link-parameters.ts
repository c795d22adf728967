// Query parameters that authenticate a capture: those of signed links, and `access_key`.
//
// They are parameters rather than security schemes, because generated clients fill in every scheme of an operation and would
// put the API key into the URL, which logs and browser histories keep.
import type { JsonSchema } from "../../contract/options/option.ts";

/** How to sign a link, in Markdown. */
const signing = `HMAC-SHA256 of the query in lowercase hexadecimal. Required with \`key_id\` and \`expires\`. The HMAC key is
the whole \`signing_secret\` of the API key (\`whsec_…\`).

Sign all parameters except \`signature\`: write each as \`name=value\`, percent-encode both, sort them by name, and join them
with \`&\`. Keep the order of parameters with the same name. All common encodings are accepted: \`encodeURIComponent\` and
\`URLSearchParams\` in JavaScript, \`urlencode\` in Python, \`http_build_query\` in PHP, \`URI.encode_www_form\` in Ruby, and
\`url.Values\` in Go. For example, in JavaScript:

\`\`\`js
const parameters = { key_id: "243680359552001", expires: "1798761600", url: "https://example.com/?a=1" };
const query = new URLSearchParams(parameters);
query.sort();
const signature = createHmac("sha256", signing_secret).update(query.toString()).digest("hex");
const link = \`https://api.example.com/api/v1/screenshot?\${query}&signature=\${signature}\`;
\`\`\`

After a rotation, links signed with the previous secret work for the \`link_grace_period\` of the rotation. Anyone who sees a link can read its options:
don't put secrets in them.`;

const inQuery = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: "query",
  description,
  schema,
});

/** The parameters of a signed link, and the API key as a parameter. */
export const signedLinkParameters: readonly JsonSchema[] = [
  inQuery("key_id", "For a signed link: the `id` of the API key that signs it. The key needs the scope `capture`.", {
    type: "integer",
    minimum: 1,
  }),
  inQuery("expires", "For a signed link: when it expires, in seconds since 1970. At most one year from now.", {
    type: "integer",
    minimum: 0,
  }),
  inQuery("signature", signing, { type: "string", pattern: "^[0-9a-f]{64}$" }),
  inQuery(
    "access_key",
    "The API key, if you can't set a header. Logs and browser histories keep URLs: prefer the header or a signed link.",
    { type: "string" },
  ),
];

/** A capture by query needs an API key, or the parameters of a signed link. */
export const captureSecurity: readonly JsonSchema[] = [{ bearer: [] }, {}];
