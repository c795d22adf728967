// Style sheets that a script imports: esbuild bundles them into a file beside that of the script.
declare module "*.css";
