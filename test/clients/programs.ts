// One program for each generator of clients: it captures a page by a body and by the query with the client made for the API.
//
// They are text, because what they import is there only once the clients are generated. `BASE_URL` and `SCREEN_CAPTURE_KEY` are in the
// environment; each prints the addresses of its requests, one a line.

export interface GeneratedClient {
  /** Packages with their versions, all of MIT licence. */
  readonly packages: readonly string[];
  /** Makes the client in the folder `client` from `openapi.json`. */
  readonly generate: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly program: string;
}

/** Prints the addresses of all requests, and checks that what came is a picture. */
const watched = `
const sent = globalThis.fetch;
globalThis.fetch = (input, init) => {
  console.log(input instanceof Request ? input.url : String(input));
  return sent(input, init);
};
const { BASE_URL: baseUrl = "", SCREEN_CAPTURE_KEY: key = "" } = process.env;
async function requirePicture(data: Blob) {
  const [signature] = new Uint32Array(await data.slice(0, 4).arrayBuffer());
  if (signature !== 0x474e5089) throw new Error("This is no PNG.");
}
`;

export const generatedClients: Readonly<Record<string, GeneratedClient>> = {
  "openapi-typescript": {
    packages: ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@24"],
    generate: ["openapi-typescript", "openapi.json", "-o", "client/schema.d.ts"],
    program: `
import createClient from "openapi-fetch";
import type { paths } from "./client/schema.d.ts";
${watched}
const client = createClient<paths>({ baseUrl, headers: { Authorization: "Bearer " + key } });
const byBody = await client.POST("/api/v1/screenshot", { body: { html: "<h1>Hello</h1>" }, parseAs: "blob" });
if (byBody.error) throw new Error(byBody.error.error);
await requirePicture(byBody.data);
const query = { html: "<h1>Hello</h1>", viewport_width: 300 };
const byQuery = await client.GET("/api/v1/screenshot", { params: { query }, parseAs: "blob" });
if (byQuery.error) throw new Error(byQuery.error.error);
await requirePicture(byQuery.data);
`,
  },

  "@hey-api/openapi-ts": {
    packages: ["@hey-api/openapi-ts@0.99.0", "typescript@5.9.3", "@types/node@24"],
    generate: ["openapi-ts", "-i", "openapi.json", "-o", "client", "-c", "@hey-api/client-fetch", "--silent"],
    program: `
import { capture, captureByQuery } from "./client";
import { client } from "./client/client.gen";
${watched}
client.setConfig({ baseUrl, auth: key, throwOnError: true });
const byBody = await capture({ body: { html: "<h1>Hello</h1>" }, throwOnError: true });
if (!(byBody.data instanceof Blob)) throw new Error("This is no picture.");
await requirePicture(byBody.data);
const query = { html: "<h1>Hello</h1>", viewport_width: 300 };
const byQuery = await captureByQuery({ query, throwOnError: true });
if (!(byQuery.data instanceof Blob)) throw new Error("This is no picture.");
await requirePicture(byQuery.data);
`,
  },

  orval: {
    packages: ["orval@8.38.0", "typescript@5.9.3", "@types/node@24"],
    generate: ["orval", "--config", "orval.config.mjs"],
    files: {
      "orval.config.mjs": `export default {
        api: {
          input: "openapi.json",
          output: { target: "client/client.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } },
        },
      };`,
    },
    program: `
import { capture, captureByQuery } from "./client/client";
${watched}
const options = { headers: { Authorization: "Bearer " + key } };
const byBody = await capture({ html: "<h1>Hello</h1>" }, options);
if (byBody.status !== 200 || !(byBody.data instanceof Blob)) throw new Error("This is no picture: " + byBody.status);
await requirePicture(byBody.data);
const byQuery = await captureByQuery({ html: "<h1>Hello</h1>", viewport_width: 300 }, options);
if (byQuery.status !== 200 || !(byQuery.data instanceof Blob)) throw new Error("This is no picture: " + byQuery.status);
await requirePicture(byQuery.data);
`,
  },
};
