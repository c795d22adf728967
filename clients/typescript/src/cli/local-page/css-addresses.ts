// Replaces the addresses in CSS: of `url()` and of `@import`.

const TOKEN =
  /\/\*.*?(?:\*\/|$)|(@import\s+)("[^"]*"|'[^']*')|url\(\s*("[^"]*"|'[^']*'|[^"'()\s]*)\s*\)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gis;

/** `replace` returns the new address, or undefined to keep it. Comments and other strings stay as they are. */
export function replaceCssAddresses(css: string, replace: (address: string) => string | undefined): string {
  return css.replaceAll(TOKEN, (token, atImport, imported, inUrl) => {
    const written: string | undefined = imported ?? inUrl;
    if (written === undefined) return token;
    const address = /^["']/.test(written) ? written.slice(1, -1) : written;
    const replaced = replace(address);
    return replaced === undefined ? token : `${atImport ?? ""}url("${replaced}")`;
  });
}
