import { readAppAddress } from '@covalence/contract/push-address';
import type { PushApp } from './push-apps.ts';
import { createApnsTransport } from './transports/apns-transport.ts';
import type { AppTransportOptions } from './transports/app-transport.ts';
import { createFcmTransport } from './transports/fcm-transport.ts';
import type { Transport } from './transports/transport.ts';
import { createWebTransport, type WebTransportOptions } from './transports/web-transport.ts';

const apple = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
} as const;
const google = 'https://fcm.googleapis.com';

function transportOfApp(app: PushApp, options: AppTransportOptions): Transport {
  if (app.platform !== 'ios') {
    const { project_id: projectId, client_email: email, private_key, private_key_id: keyId } = app.account;
    const service = { origin: app.url ?? google, tokenUrl: app.token_url };
    return createFcmTransport({ projectId, email, privateKey: private_key, keyId, ...service }, options);
  }
  const { team_id: teamId, key_id: keyId, key, bundle_id: topic, environments, url } = app;
  const origins = url === undefined ? apple : { production: url, sandbox: url };
  return createApnsTransport({ teamId, keyId, key, topic, environments, origins }, options);
}

/** Creates the transports of browsers and of every app. */
export function createPushTransports(
  apps: ReadonlyMap<string, PushApp>,
  web: WebTransportOptions | undefined,
  options: AppTransportOptions,
) {
  const ofBrowsers = web && createWebTransport(web);
  const ofApps = new Map([...apps].map(([id, app]) => [id, transportOfApp(app, options)]));
  return {
    transportOf(endpoint: string): Transport | undefined {
      const address = readAppAddress(endpoint);
      return address ? ofApps.get(address.app) : ofBrowsers;
    },
    close(): void {
      for (const transport of [...ofApps.values(), ...(ofBrowsers ? [ofBrowsers] : [])]) transport.close();
    },
  };
}
