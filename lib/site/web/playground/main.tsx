// The playground: builds a capture request from a form, sends it, and shows the result.
import { render } from "preact";
import { addSearch } from "../search/search-button.ts";
import { markSession } from "../session-hint.ts";
import { contract } from "./contract.ts";
import { Playground } from "./playground.tsx";
import "./playground.css";

markSession();
addSearch(document);

const root = document.getElementById("playground");
if (root) {
  root.replaceChildren();
  render(<Playground contract={contract} />, root);
}
