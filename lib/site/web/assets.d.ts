// Files that a script imports and that are no scripts.

// esbuild bundles style sheets into a file next to that of the script.
declare module "*.css";

declare module "pdf-worker" {
  /** Address of the worker of PDF.js, relative to the importing script. */
  export const workerPath: string;
}
