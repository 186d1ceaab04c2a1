import { runCommand } from '@covalence/stack/engines/run-command';
import { listenLocally } from '@covalence/testing/listen-locally';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';

/** A key and certificate for localhost as PKCS #12, which Node.js and Java read. */
export interface TlsIdentity {
  readonly file: string;
  readonly passphrase: string;
}

/** Those that FAPI 2.0 allows for TLS 1.2 with this key, and two of TLS 1.3. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
].join(':');

/** Creates a key with a self-signed certificate. */
export async function createTlsIdentity(javaHome: string, folder: string): Promise<TlsIdentity> {
  const identity = { file: join(folder, 'localhost.p12'), passphrase: 'conformance' };
  const options = {
    alias: 'localhost',
    dname: 'CN=localhost',
    ext: 'san=dns:localhost',
    keyalg: 'EC',
    groupname: 'secp256r1',
    validity: '2',
    storetype: 'PKCS12',
    keystore: identity.file,
    storepass: identity.passphrase,
  };
  const { ok, output } = await runCommand(
    join(javaHome, 'bin/keytool'),
    ['-genkeypair', ...Object.entries(options).flatMap(([name, value]) => [`-${name}`, value])],
    { environment: process.env, milliseconds: 60_000 },
  );
  if (!ok) throw new Error(`keytool cannot create a certificate: ${output}`);
  return identity;
}

/** Ends TLS as a load balancer does, and says so to the server behind. Resolves with its address. */
export async function startTlsFront({ file, passphrase }: TlsIdentity, target: number): Promise<string> {
  const identity = { pfx: readFileSync(file), passphrase };
  const server = createServer({ ...identity, minVersion: 'TLSv1.2', ciphers }, (incoming, outgoing) => {
    const { method, url: path, headers: received } = incoming;
    const headers = {
      ...received,
      'x-forwarded-for': incoming.socket.remoteAddress,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': received.host,
      'x-forwarded-port': String(port),
    };
    const forwarded = request({ host: '127.0.0.1', port: target, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(forwarded);
  });
  const port = await listenLocally(server);
  server.unref();
  return `https://localhost:${port}`;
}
