// The playground: builds a capture request from a form, sends it, and shows the result.
import { render } from "preact";
import { addSearch } from "../search/search-button.ts";
import { markSession } from "../session-hint.ts";
import { Playground } from "./playground.tsx";
import "./playground.css";

markSession();
addSearch(document);

const root = document.getElementById("playground");
if (root) {
  try {
    const { contract } = await import("./contract.ts");
    root.replaceChildren();
    render(<Playground contract={contract} />, root);
  } catch (error) {
    render(<p class="idle">The playground couldn’t be loaded. Reload the page.</p>, root);
    throw error;
  }
}
