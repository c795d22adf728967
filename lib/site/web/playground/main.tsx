// The playground: builds a capture request from a form, sends it, and shows the result.
import { render } from "preact";
import { Playground } from "./playground.tsx";
import "../site.ts";
import "./playground.css";

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
