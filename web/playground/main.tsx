// The playground: builds a capture request from a form, sends it, and shows the result.
import { render } from "preact";
import { Playground } from "./playground.tsx";
import "../site.ts";
import "./playground.css";

const root = document.getElementById("playground");
if (root) render(<Playground />, root);
