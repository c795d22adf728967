// Prompts of the MCP server: tasks that a person starts by name.
import type { McpServer } from "@modelcontextprotocol/server";
import { toolInput } from "./tool-input.ts";
import { UNTRUSTED_NOTE } from "./untrusted.ts";

const prompts = {
  review_design: {
    title: "Review this page's design",
    text: (url: string) =>
      `Call capture_screenshot with url ${url}, full_page true, and slices true. Review the design: hierarchy, spacing, type, ` +
      "contrast, consistency, and calls to action. List the five most useful changes, each with where it is and how to do it.",
  },
  check_on_phones: {
    title: "Check this page on phones",
    text: (url: string) =>
      `Call capture_screenshot with url ${url} for each viewport_device of iphone_15_pro, pixel_5, and galaxy_s9_plus. Report what ` +
      "is cut off, overlaps, is too small to read or tap, or scrolls sideways, and how to fix it.",
  },
};

const pageUrl = toolInput(
  { url: { type: "string", description: "URL of the page, http or https." } },
  { required: ["url"] },
);

export function registerPrompts(server: McpServer): void {
  for (const [name, { title, text }] of Object.entries(prompts)) {
    server.registerPrompt(name, { title, argsSchema: pageUrl }, ({ url }) => ({
      messages: [
        { role: "user", content: { type: "text", text: `${text(JSON.stringify(String(url)))}\n${UNTRUSTED_NOTE}` } },
      ],
    }));
  }
}
