import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { identityOf, processSchema } from '../engines/engine-record.ts';
import { engineNames } from '../engines/engines.ts';
import { startTimeOf } from '../engines/process-table.ts';
import { writePrivateFile } from '@covalence/runtime/private-file';
import { CommandError } from '@covalence/runtime/command-error';
import type { Stack } from '../stack.ts';
import type { ServicePorts } from './service-environment.ts';
import { serviceNames, type ServiceName } from './service-name.ts';

const portsSchema = z.object({ port: z.int(), managementPort: z.int() });

const runningSchema = z.object({
  /** Who runs it, and takes the file away at the end: a file of one that was killed says nothing. */
  starter: processSchema,
  publicUrl: z.url(),
  engines: z.record(z.enum(engineNames), z.string()),
  ports: z.record(z.enum(serviceNames as [ServiceName, ...ServiceName[]]), portsSchema),
});

/** Where the parts and engines of a stack that runs are reached. */
export type Running = z.infer<typeof runningSchema>;

/** Keeps the addresses for tools; they may hold passwords, so only the owner can read them. */
export function writeRunning(
  file: string,
  { stack, ports }: { stack: Stack; ports: Readonly<Record<ServiceName, ServicePorts>> },
): void {
  const engines = Object.fromEntries([...stack.engines].map(([name, { url }]) => [name, url]));
  writePrivateFile(file, { starter: identityOf(process.pid), publicUrl: stack.url, engines, ports });
}

/** The addresses of the stack that runs; throws a CommandError where none does. */
export function readRunning(file: string): Running {
  const kept: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const running = runningSchema.safeParse(kept).data;
  if (running && startTimeOf(running.starter.pid) === running.starter.startTime) return running;
  throw new CommandError(
    'No stack runs here. Start one with npm start, or set the environment of a service (NAMESPACE and the addresses).',
  );
}
