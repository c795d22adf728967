// ERROR_PAGE: what the page says, not its status, makes it an error page; a page about errors is none.
import { describe, expect, test } from "vitest";
import { judgedCodesOf, problemOf, prose } from "../../../support/problems.ts";
import { sampled } from "../../../support/slow-run.ts";

describe("an error page", () => {
  sampled(test, 6).each([
    ["in English", "<h1>Oops! We can't find that page</h1><a href=#>Back to home</a>"],
    ["in German", "<h1>Seite nicht gefunden</h1><p>Die Seite wurde verschoben.</p>"],
    ["in Japanese", "<h1>お探しのページは見つかりませんでした</h1><p>URLをご確認ください。</p>"],
    ["of a firewall", "<h1>Access denied</h1><p>Your IP address 203.0.113.9 was blocked. Ray ID: 8f21c77a</p>"],
    ["that wants another browser", "<h1>Please update your browser</h1><p>Use Chrome, Firefox, or Safari.</p>"],
    ["of one word and a number", "<h1>Fehler 500</h1><p>Bitte später erneut versuchen.</p>"],
    ["of a domain for sale", "<h1>example.org is for sale</h1><p>This domain is available. Make an offer.</p>"],
    [
      "of a server",
      "<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1><p>Further configuration is required.</p>",
    ],
  ])("%s is found", async (_, html) => {
    expect(await judgedCodesOf(html)).toContain("ERROR_PAGE");
  });

  test("is quoted, with its place", async () => {
    const { message, severity, evidence } = await problemOf(
      "ERROR_PAGE",
      "<main><h1 id=title>Page not found</h1></main>",
    );
    expect(severity).toBe("error");
    expect(message).toContain("“Page not found”");
    expect(evidence).toMatchObject({ text: "Page not found", selector: "h1#title", rectangle: { x: 8 } });
  });
});

describe("no error page is", () => {
  sampled(test, 4).each([
    [
      "an article about them",
      `<h1>404 Not Found</h1>${prose}<h2>Why it occurs</h2>${prose}<h2>What to do</h2><pre>HTTP/1.1 404 Not Found</pre>`,
    ],
    [
      "a text that quotes one",
      `<h1>“Something went wrong” on export</h1><p>Since the update, I see the message “Something went wrong”.</p>${prose}`,
    ],
    ["an article with a notice", `<h1>A lighthouse</h1>${prose}<p>The video is not available.</p>`],
    ["a product with a button to buy it", "<h1>Wool socks</h1><p>12.00 EUR</p><button>Buy now</button>"],
    [
      "an email with such a button",
      "<table><tr><td><h1>Your cart</h1><p>You left wool socks.</p><a href=# style='display:inline-block'>Buy now</a></td></tr></table>",
    ],
    ["a house for sale", "<h1>Maison à vendre</h1><p>Quatre pièces, 120 m², jardin.</p><a href=#>Acheter</a>"],
    ["documentation of errors", "<h1>Error handling</h1><p>How to deal with errors in our API.</p>"],
    [
      "documentation of errors in German",
      "<h1>Fehlerbehandlung</h1><p>Wie man mit Fehlern umgeht, wenn der Server nicht antwortet.</p>",
    ],
    [
      "documentation of errors in Portuguese",
      "<h1>Tratamento de erros</h1><p>O que fazer quando ocorreu um erro na API.</p>",
    ],
    [
      "one with an error that no reader sees",
      "<h1>A lighthouse</h1><p>Open all year.</p><div style='display:none'><h1>Page not found</h1></div><h1 style='color:#fff'>Page not found</h1>",
    ],
  ])("%s", async (_, html) => {
    expect(await judgedCodesOf(html)).toEqual([]);
  });
});
