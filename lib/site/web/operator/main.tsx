// The operator's page: signs in, and shows accounts, failures, and the audit log.
import { render } from "preact";
import { takeLinkToken } from "../ui/link-token.ts";
import { App } from "./app.tsx";
import "./operator.css";

const token = takeLinkToken(); // first: the address with the token must not stay
const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  render(<App token={token} />, root);
}
