// Signed links as OpenAPI shows them: three parameters that stand for a key together.
import type { JsonSchema } from "../option.ts";

/** How a link is signed, in Markdown. */
const signing = `HMAC-SHA256 of the query in hex, with the whole \`signing_secret\` of the key (\`whsec_…\`) as its key.

What is signed are all parameters but \`signature\`: each as \`name=value\` with both percent-encoded as by
\`encodeURIComponent\`, sorted by their encoded names, joined by \`&\`. Parameters of one name stay in their order. So in
JavaScript:

\`\`\`js
const parameters = { key_id: "243680359552001", expires: "1798761600", url: "https://example.com/?a=1" };
const signed = Object.entries(parameters)
  .map((pair) => pair.map(encodeURIComponent))
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map((pair) => pair.join("="))
  .join("&");
const signature = createHmac("sha256", signing_secret).update(signed).digest("hex");
const link = \`https://api.example.com/api/v1/screenshot?\${signed}&signature=\${signature}\`;
\`\`\`

For 24 hours after a rotation the secret before it is good, too. A link can be read by all who see it: what is secret does
not belong into its options.`;

const inQuery = (name: string, description: string) => ({ type: "apiKey", in: "query", name, description });

export const linkSchemes: Readonly<Record<string, JsonSchema>> = {
  linkKey: inQuery(
    "key_id",
    "The `id` of the API key whose signing secret signed the link; it needs the scope `capture`.",
  ),
  linkEnd: inQuery("expires", "When the link ends, in seconds since 1970: at most a year from now."),
  linkSignature: inQuery("signature", signing),
};

/** What a capture by its query can be asked for with. */
export const captureSecurity: readonly JsonSchema[] = [
  { bearer: [] },
  { accessKey: [] },
  { linkKey: [], linkEnd: [], linkSignature: [] },
];
