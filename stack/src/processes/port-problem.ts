import { createServer } from 'node:net';

/** The system's code for why a port cannot be listened on (EADDRINUSE, EACCES …), or undefined when it can. */
export function portProblem(port: number, host: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const probe = createServer();
  probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
  return promise;
}
