// LOGIN_WALL: a page that is a form to sign in, or that shows the beginning of its content alone.
import { describe, expect, test } from "vitest";
import { judgedCodesOf, problemOf, prose } from "../../../support/problems.ts";
import { sampled } from "../../../support/slow-run.ts";

const form = `<form><input type=email placeholder="E-mail"><input type=password placeholder="Password"><button>Sign in</button></form>`;

describe("a login wall", () => {
  sampled(test, 4).each([
    ["with a password", `<h1>Sign in</h1>${form}`],
    [
      "of buttons of other services",
      "<h1>Log in to Acme</h1><button>Continue with Google</button><button>Continue with GitHub</button>",
    ],
    [
      "with a code by e-mail",
      "<h1>Anmelden</h1><p>Wir senden Ihnen einen Code.</p><input type=email name=email><button>Code senden</button>",
    ],
    [
      "below the beginning of an article",
      `<h1>A lighthouse</h1><p>The lamp went out in 2009.</p><div><h2>Subscribe to continue reading</h2><p>Already a subscriber? <a href=#>Sign in</a></p><button>Subscribe</button></div>`,
    ],
  ])("%s is found", async (_, html) => {
    expect(await judgedCodesOf(html)).toContain("LOGIN_WALL");
  });

  test("names its form and its heading", async () => {
    const { message, evidence } = await problemOf("LOGIN_WALL", `<h1>Sign in</h1>${form}`);
    expect(message).toContain("“Sign in”");
    expect(evidence).toMatchObject({ text: "Sign in", selector: expect.stringContaining("input") });
  });
});

describe("no login wall is", () => {
  sampled(test, 4).each([
    ["a page with a small form in its header", `<header>${form}</header><main><h1>A lighthouse</h1>${prose}</main>`],
    ["an article about signing in", `<h1>How to log in safely</h1>${prose}${prose}`],
    [
      "a page with a newsletter at its end",
      `<h1>A lighthouse</h1>${prose}<h3>Newsletter</h3><input type=email placeholder="E-mail"><button>Sign up</button>`,
    ],
    [
      "one with a form that no reader sees",
      `<h1>A lighthouse</h1><p>Open all year.</p><div style="opacity:0"><h1>Sign in</h1>${form}</div>`,
    ],
  ])("%s", async (_, html) => {
    expect(await judgedCodesOf(html)).toEqual([]);
  });
});
