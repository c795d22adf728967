// A function that loads a native package late, as the engine does.
export async function handler(): Promise<string> {
  const { default: sharp } = await import("sharp");
  const red = sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } });
  return (await red.avif().toBuffer()).toString("latin1", 4, 12);
}
