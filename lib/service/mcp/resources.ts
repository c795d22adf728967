// Resources of the MCP server: the reference of options, and the caller's recent captures.
import type { McpServer } from "@modelcontextprotocol/server";
import type { ApiClient } from "./api-client.ts";
import { listOptions } from "./option-search.ts";
import { markUntrusted } from "./untrusted.ts";

export function registerResources(server: McpServer, api: ApiClient): void {
  const reference = { title: "Option reference", description: "All options of captures.", mimeType: "text/markdown" };
  server.registerResource("options", "capture://options", reference, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/markdown", text: listOptions() }],
  }));
  const recent = {
    title: "Recent captures",
    description: "The log of the account's captures.",
    mimeType: "text/plain",
  };
  server.registerResource("recent-captures", "capture://recent", recent, async ({ href }) => ({
    contents: [
      {
        uri: href,
        mimeType: "text/plain",
        text: markUntrusted(JSON.stringify(await api.call("/api/v1/usage"), null, 1)),
      },
    ],
  }));
}
