// The query parameters that authenticate a capture by its address: those of signed links, and `access_key`.
//
// They are ordinary parameters and no security schemes: generated clients fill in every scheme that an operation names, and
// would put the API key into the address, where logs and histories keep it.
import type { JsonSchema } from "../../options/option.ts";

/** How a link is signed, in Markdown. */
const signing = `With \`key_id\` and \`expires\`: HMAC-SHA256 of the query in lower-case hex, with the whole \`signing_secret\` of the
key (\`whsec_…\`) as its key.

What is signed are all parameters but \`signature\`: each as \`name=value\`, both percent-encoded, sorted by their names and
joined by \`&\`. Parameters of one name stay in their order. The usual encodings all verify: \`encodeURIComponent\` and
\`URLSearchParams\` of JavaScript, \`urlencode\` of Python, \`http_build_query\` of PHP, \`URI.encode_www_form\` of Ruby and
\`url.Values\` of Go. So in JavaScript:

\`\`\`js
const parameters = { key_id: "243680359552001", expires: "1798761600", url: "https://example.com/?a=1" };
const query = new URLSearchParams(parameters);
query.sort();
const signature = createHmac("sha256", signing_secret).update(query.toString()).digest("hex");
const link = \`https://api.example.com/api/v1/screenshot?\${query}&signature=\${signature}\`;
\`\`\`

For 24 hours after a rotation the secrets before it are good, too. A link can be read by all who see it: what is secret does
not belong into its options.`;

const inQuery = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: "query",
  description,
  schema,
});

/** The parameters of a signed link, each of which stands in its address once; and the key itself. */
export const signedLinkParameters: readonly JsonSchema[] = [
  inQuery(
    "key_id",
    "Of a signed link: the `id` of the API key whose signing secret signed it; it needs the scope `capture`.",
    { type: "integer", minimum: 1 },
  ),
  inQuery("expires", "Of a signed link: when it ends, in seconds since 1970, at most a year from now.", {
    type: "integer",
    minimum: 0,
  }),
  inQuery("signature", signing, { type: "string", pattern: "^[0-9a-f]{64}$" }),
  inQuery(
    "access_key",
    "The API key, where no header can be set. Addresses are kept in logs and histories; prefer the header or a signed link.",
    { type: "string" },
  ),
];

/** A capture by its query needs a key, or the parameters of a signed link. */
export const captureSecurity: readonly JsonSchema[] = [{ bearer: [] }, {}];
