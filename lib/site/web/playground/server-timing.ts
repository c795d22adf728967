// Parses the Server-Timing header of a capture. See https://www.w3.org/TR/server-timing/

export interface TimedPhase {
  readonly name: string;
  readonly milliseconds: number;
  readonly description?: string;
}

/** The phases with a duration, in their order. */
export function parseServerTiming(header: string): TimedPhase[] {
  return header.split(",").flatMap((entry) => {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const value = (key: string) => parameters.find((each) => each.startsWith(`${key}=`))?.slice(key.length + 1);
    const milliseconds = Number(value("dur"));
    if (name === "" || !Number.isFinite(milliseconds)) return [];
    const description = value("desc")?.replace(/^"(.*)"$/, "$1");
    return [{ name, milliseconds, ...(description !== undefined && { description }) }];
  });
}
