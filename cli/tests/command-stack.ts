import { mkdtempSync, rmSync } from 'node:fs';
import mongoose from 'mongoose';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '@covalence/stack/checkout';
import { keptInstance } from '@covalence/stack/services/instance';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { servicePorts } from '@covalence/stack/services/service-ports';
import { startStack } from '@covalence/stack/services/stack';

/** A running stack that commands with `--data folder` reach. */
export type CommandStack = Awaited<ReturnType<typeof startCommandStack>>;

/** Starts a stack of the services in a new folder. */
export async function startCommandStack(services: readonly ServiceName[]) {
  const folder = mkdtempSync(join(tmpdir(), 'covalence-commands-'));
  const data = dataFolder(folder);
  const instance = keptInstance(data.instanceFile);
  const ports = await servicePorts(data.portsFile);
  const stack = await startStack({
    data,
    instance,
    ports,
    publicUrl: 'http://localhost',
    environment: process.env,
    services,
    progress: () => {},
    stopped: new AbortController().signal,
  });
  /** Reads or changes a collection of a service. */
  const collectionOf = async <T>(
    service: ServiceName,
    name: string,
    work: (collection: mongoose.Collection) => Promise<T>,
  ): Promise<T> => {
    const url = stack.engines.get('mongodb')?.url ?? '';
    const connection = mongoose.createConnection(url, { dbName: `${instance.namespace}-${service}` });
    await connection.asPromise();
    try {
      return await work(connection.collection(name));
    } finally {
      await connection.close();
    }
  };
  return {
    folder,
    instance,
    ports,
    collectionOf,
    async close() {
      await stack.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
