import { listenLocally } from '@covalence/testing/listen-locally';
import { createServer } from 'node:http';
import { startService, type ServiceUnderTest } from '../harness.ts';

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenLocally(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The service at the very address that it calls itself, as OAuth libraries insist on. */
export async function startIssuer(suite: string): Promise<{ auth: ServiceUnderTest; issuer: string }> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    auth: await startService(suite, { environment: { AUTH_PUBLIC_URL: issuer, PORT: String(port) } }),
  };
}
