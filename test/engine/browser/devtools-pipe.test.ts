// DevTools pipe: writes of one turn go out together, in order, and those that come too late harm nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { corkWrites, ignoreLateWriteErrors } from "../../../lib/engine/browser/devtools-pipe.ts";

test("devtools pipe: writes of one turn go out together, those of the next turn separately", async () => {
  const pieces: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => done(void pieces.push(chunk)),
    writev: (chunks, done) => done(void pieces.push(chunks.map(({ chunk }) => chunk).join(""))),
  });
  corkWrites(stream);
  for (const text of ["one", "\0", "two"]) stream.write(text);
  await Promise.resolve().then(() => stream.write("\0"));
  await nextTurn();
  stream.write("three", "utf8");
  await nextTurn();
  expect(pieces).toEqual(["one\0two\0", "three"]);
});

test("devtools pipe: a write to a process that has exited ends nothing", async () => {
  const child = spawn("true", { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const pipe = child.stdio[3] as unknown as Writable;
  ignoreLateWriteErrors(pipe);
  const failed = new Promise<Error | null | undefined>((resolve) => {
    child.once("exit", () => pipe.write("too late", resolve));
  });
  await once(child, "exit");
  expect(await failed).toBeInstanceOf(Error);
});
