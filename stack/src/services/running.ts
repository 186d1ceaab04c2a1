import { z } from 'zod';
import { identityOf, processSchema } from '../engines/engine-record.ts';
import { engineNames } from '../engines/engine.ts';
import { startTimeOf } from '../engines/process-table.ts';
import { readPrivateFile, writePrivateFile } from '@covalence/runtime/private-file';
import { CommandError } from '@covalence/runtime/command-error';
import type { Stack } from './stack.ts';
import type { ServicePorts } from './service-environment.ts';
import { serviceNames, type ServiceName } from './service-name.ts';

const portsSchema = z.object({ port: z.int(), managementPort: z.int() });

const runningSchema = z.object({
  /** The process that runs the stack. The file of a killed process is ignored. */
  starter: processSchema,
  publicUrl: z.url(),
  engines: z.record(z.enum(engineNames), z.string()),
  ports: z.record(z.enum(serviceNames as [ServiceName, ...ServiceName[]]), portsSchema),
});

/** The addresses of a running stack. */
export type Running = z.infer<typeof runningSchema>;

/** Saves the addresses for tools, readable only by the owner, because they contain passwords. */
export function writeRunning(
  file: string,
  { stack, ports }: { stack: Stack; ports: Readonly<Record<ServiceName, ServicePorts>> },
): void {
  const engines = Object.fromEntries([...stack.engines].map(([name, { url }]) => [name, url]));
  writePrivateFile(file, { starter: identityOf(process.pid), publicUrl: stack.url, engines, ports });
}

/** The addresses of the running stack. Throws a CommandError when none runs. */
export function readRunning(file: string): Running {
  const running = readPrivateFile(file, runningSchema);
  if (running && startTimeOf(running.starter.pid) === running.starter.startTime) return running;
  throw new CommandError(
    'No stack runs here. Start one with npm start, or set the environment of a service (NAMESPACE and the addresses).',
  );
}
