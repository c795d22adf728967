// Several `--output` files of the command line: which options each output of the request has.
import { describe, expect, test } from "vitest";
import { splitOptions } from "../../clients/typescript/src/cli/output-files.ts";

const outputsFor = (files: readonly string[], given = {}) =>
  (splitOptions(files, given).outputs ?? []).map(({ output }) => output);

describe("command line: several --output files", () => {
  test("have the formats of their extensions, and the options that these take", () => {
    const given = { full_page: true, pdf_paper_format: "a4", image_quality: "60", dark_mode: true, delay: "2" };
    expect(splitOptions(["shots/page.png", "shots/small.jpg", "print.pdf"], given)).toEqual({
      options: { dark_mode: true, delay: "2" },
      outputs: [
        { file: "shots/page.png", format: "png", output: { name: "page", format: "png", full_page: true } },
        {
          file: "shots/small.jpg",
          format: "jpg",
          output: { name: "small", format: "jpg", full_page: true, image_quality: "60" },
        },
        { file: "print.pdf", format: "pdf", output: { name: "print", format: "pdf", pdf_paper_format: "a4" } },
      ],
    });
  });

  test("may include standard output, whose format is that of --format", () => {
    const plain = outputsFor(["-", "page.pdf"]);
    expect(plain.map(({ format }) => format)).toEqual(["png", "pdf"]);
    expect(outputsFor(["page.pdf", "-"], { format: "markdown" })[1]).toEqual({ name: "output", format: "markdown" });
  });

  test.each([
    [
      ["shot.png", "shot.pdf", "SHOT.md"],
      ["shot", "shot-2", "SHOT-3"],
    ],
    [
      ["my page (1).png", "../a/.hidden.md"],
      ["my-page-1", "hidden"],
    ],
    [
      ["manifest.json", "con.md"],
      ["output-manifest", "output-con"],
    ],
    [
      ["截图.png", "-"],
      ["output", "output-2"],
    ],
    [
      [`${"x".repeat(200)}.png`, `${"x".repeat(200)}.md`],
      ["x".repeat(90), `${"x".repeat(90)}-2`],
    ],
  ])("%j have names that the API allows", (files, names) => {
    expect(outputsFor(files).map(({ name }) => name)).toEqual(names);
  });

  test.each([
    [["a.png", "./a.png"], {}, "--output ./a.png is given twice"],
    [["a.png", "shots/"], {}, "shots/ is a folder. Name a file in it"],
    [["a.png", "b.doc"], {}, ".doc isn't the extension of a format"],
    [["a.png", "b.pdf"], { format: "webp" }, "--format is for a file without an extension"],
    [
      ["a.png", "b.md"],
      { pdf_scale: "2" },
      "--pdf-scale applies to none of the files. Remove it, or add an --output with one of these extensions: pdf.",
    ],
    [["a.png", "b.md"], { video_duration: "2" }, "one of these extensions: mp4, webm, gif."],
  ])("%j with %j are refused", (files, given, message) => {
    expect(() => splitOptions(files, given)).toThrow(message);
  });
});
