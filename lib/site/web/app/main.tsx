// The dashboard: signs in, and shows the screens of an account.
import { render } from "preact";
import { App } from "./app.tsx";
import "../site.ts";
import "./app.css";

const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
