// Installs AWS's runtime client for Node.js (aws-lambda-ric) in a folder, with a JavaScript HTTP client instead of the native one.
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Creates the folder. Resolves to the path of the module that a sandbox runs. */
export async function installRuntimeClient(folder: string): Promise<string> {
  // The client requires its native addon next to itself; `require` accepts a folder of that name.
  const addon = join(folder, "rapid-client.node");
  const entry = join(folder, "index.mjs");
  const original = join(dirname(createRequire(import.meta.url).resolve("aws-lambda-ric/package.json")), "index.mjs");
  await mkdir(addon, { recursive: true });
  await Promise.all([
    copyFile(original, entry),
    writeFile(join(addon, "index.js"), addonSource),
    // The data folder can be inside a package of `"type": "module"`.
    writeFile(join(addon, "package.json"), '{ "type": "commonjs" }'),
  ]);
  return entry;
}

/** The client does not await `done` and `error`. A single connection keeps the requests in order. */
const addonSource = `"use strict";
const http = require("node:http");

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const [hostname, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(":");

function send(method, path, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const options = { agent, hostname, port, method, path: "/2018-06-01/runtime/invocation/" + path, headers };
    const request = http.request(options, (response) => {
      let bodyJson = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (bodyJson += chunk));
      response.on("end", () => resolve({ bodyJson, headers: response.headers }));
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

// A rejection ends the process: without the Runtime API a sandbox must exit.
exports.next = () => send("GET", "next");
exports.done = (id, body) => void send("POST", id + "/response", body, { "Content-Type": "application/json" });
exports.error = (id, body) => void send("POST", id + "/error", body, { "Content-Type": "application/json" });
`;
