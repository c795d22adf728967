// Keeps schedules as files, one for each, so that they survive a restart.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSchedule, type Schedule } from "./schedule.ts";

/** Group and name, which identify a schedule. */
export type ScheduleIds = Pick<Schedule, "GroupName" | "Name">;

export interface ScheduleFiles {
  /** All schedules in the folder. */
  read(): Promise<Schedule[]>;
  /** Resolves when the schedule is stored. */
  write(schedule: Schedule): Promise<void>;
  delete(ids: ScheduleIds): Promise<void>;
}

/** The files of a folder, which is created when it is missing. */
export function scheduleFiles(folder: string): ScheduleFiles {
  const pathOf = ({ GroupName, Name }: ScheduleIds) => join(folder, `${GroupName}~${Name}.json`); // no name contains a tilde
  return {
    async read() {
      await mkdir(folder, { recursive: true });
      const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
      return Promise.all(
        names.map(async (name) => parseSchedule(JSON.parse(await readFile(join(folder, name), "utf8")))),
      );
    },
    async write(schedule) {
      const path = pathOf(schedule);
      await writeFile(`${path}.new`, JSON.stringify(schedule)); // a file that was written in part is ignored
      await rename(`${path}.new`, path);
    },
    delete: (ids) => rm(pathOf(ids), { force: true }),
  };
}
