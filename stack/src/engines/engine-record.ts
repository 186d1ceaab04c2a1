import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readPrivateFile, writePrivateFile } from '@covalence/runtime/private-file';
import { startTimeOf } from './process-table.ts';

/** Identifies a process, also after its number is reused. */
export const processSchema = z.object({ pid: z.number().int().positive(), startTime: z.string() });

const recordSchema = z.object({
  ports: z.record(z.string(), z.number().int()),
  /** The process group of the engine, and its starter. */
  running: z.object({ engine: processSchema, starter: processSchema }).optional(),
});

/** The ports and the process of an engine, stored in its folder. */
export type EngineRecord = z.output<typeof recordSchema>;

const fileIn = (folder: string): string => join(folder, 'engine.json');

/** Whether a server was ever started in the folder. */
export const hasRecord = (folder: string): boolean => existsSync(fileIn(folder));

/** The folder of an engine or a service, and those in it, which belong to its servers if it is a cluster. */
export function engineFolders(folder: string): string[] {
  const found = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return [folder, ...found.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name))];
}

/** Reads the record; empty when it is missing or not readable. */
export const readRecord = (folder: string): EngineRecord =>
  readPrivateFile(fileIn(folder), recordSchema) ?? { ports: {} };

/** Replaces the record atomically. */
export function writeRecord(folder: string, record: EngineRecord): void {
  writePrivateFile(fileIn(folder), record);
}

/** The identity of a process of this machine. */
export const identityOf = (pid: number) => ({ pid, startTime: startTimeOf(pid) ?? '' });

/** Records a started process, with this process as its starter. */
export function rememberProcess(folder: string, pid: number): void {
  const { ports } = readRecord(folder);
  writeRecord(folder, { ports, running: { engine: identityOf(pid), starter: identityOf(process.pid) } });
}
