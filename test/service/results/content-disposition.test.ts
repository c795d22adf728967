// The Content-Disposition header of results.
import { describe, expect, test } from "vitest";
import { contentDisposition } from "../../../lib/service/results/content-disposition.ts";

describe("Content-Disposition", () => {
  test.each([
    [undefined, "inline"],
    ["page.png", 'attachment; filename="page.png"'],
    ["my page (1).png", 'attachment; filename="my page (1).png"'],
    ["Zoë.png", "attachment; filename=\"Zo_.png\"; filename*=UTF-8''Zo%C3%AB.png"],
    [
      "日本's (1)*.pdf",
      "attachment; filename=\"__'s (1)*.pdf\"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%27s%20%281%29%2A.pdf",
    ],
    ['a".png', "attachment; filename=\"a_.png\"; filename*=UTF-8''a%22.png"],
    ["a\\.png", "attachment; filename=\"a_.png\"; filename*=UTF-8''a%5C.png"],
    ["100%41.png", "attachment; filename=\"100_41.png\"; filename*=UTF-8''100%2541.png"],
    ["a\r\nX-Injected: b", "attachment; filename=\"a__X-Injected: b\"; filename*=UTF-8''a%0D%0AX-Injected%3A%20b"],
    ["a\ud800", "attachment; filename=\"a_\"; filename*=UTF-8''a%EF%BF%BD"],
  ])("for the file name %j is %s", (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });

  test.each(['日本\'s "(1)*".pdf', "Zoë 100%.png", "plain.png"])(
    "gives %j back to a client that reads RFC 6266",
    (name) => {
      const [, encoded, quoted] =
        /filename\*=UTF-8''([\w%.~!#$&+^`|-]+)$|filename="([^"]*)"$/.exec(contentDisposition(name)) ?? [];
      expect(encoded === undefined ? quoted : decodeURIComponent(encoded)).toBe(name);
    },
  );
});
