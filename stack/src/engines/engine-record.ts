import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '@covalence/runtime/private-file';
import { startTimeOf } from './process-table.ts';

/** A process, told from a later one of the same number. */
export const processSchema = z.object({ pid: z.number().int().positive(), startTime: z.string() });

const recordSchema = z.object({
  ports: z.record(z.string(), z.number().int()),
  /** The process group the engine runs as, and who started it. */
  running: z.object({ engine: processSchema, starter: processSchema }).optional(),
});

/** What an engine's folder remembers from one start to the next. */
export type EngineRecord = z.output<typeof recordSchema>;

const fileIn = (folder: string): string => join(folder, 'engine.json');

/** Reads the record; one that is not there or not readable is an empty one. */
export function readRecord(folder: string): EngineRecord {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
  } catch {
    return { ports: {} };
  }
}

/** Writes the record whole or not at all. */
export function writeRecord(folder: string, record: EngineRecord): void {
  writePrivateFile(fileIn(folder), record);
}

/** A process of this machine as `processSchema` has it. */
export const identityOf = (pid: number) => ({ pid, startTime: startTimeOf(pid) ?? '' });

/** Notes the process that was just started in the folder, and this one as its starter. */
export function rememberProcess(folder: string, pid: number): void {
  const { ports } = readRecord(folder);
  writeRecord(folder, { ports, running: { engine: identityOf(pid), starter: identityOf(process.pid) } });
}
