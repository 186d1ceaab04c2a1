import { parseSites, type Sites } from '@covalence/contract/sites';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressVariable } from '../address-variable.ts';
import { codeCache, root } from '../checkout.ts';
import type { EngineName } from '../engines/engine.ts';
import { publicKeysOf } from './credentials.ts';
import type { Instance } from './instance.ts';
import { serviceNames, type ServiceName } from './service-name.ts';

/** Ports of one part. */
export interface ServicePorts {
  readonly port: number;
  readonly managementPort: number;
}

/** Everything that the environment of a part is made of. */
export interface ServiceSetting {
  readonly instance: Instance;
  /** Addresses of the engines that the part needs. */
  readonly engines: Readonly<Partial<Record<EngineName, string>>>;
  readonly ports: Readonly<Record<ServiceName, ServicePorts>>;
  /** base_url and auth_url. */
  readonly publicUrl: string;
  readonly photoDir: string;
  /** Where mails land, unless MAIL_URL names a server. */
  readonly mailDir: string;
  /** The environment around the stack: PATH, proxies, limits set for a try. */
  readonly around: NodeJS.ProcessEnv;
}

/** Variables of npm and of a test runner mean something else to a service, and the operator's keys are none of its business. */
const keptOut =
  /^(npm_|JEST_|NODE_OPTIONS$|NODE_CHANNEL_|NODE_UNIQUE_ID$|HOST$|PORT$|LOG_LEVEL$|MAIL_|OPERATOR_SECRET$|STAFF_SECRET$)/;

const variablesOf = (addresses: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(addresses).map(([name, url]) => [addressVariable(name), url]));

const inherited = (around: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(around).filter(([name]) => !keptOut.test(name)));

/** Mail settings of the environment; without a server of its own, mails land in the folder. */
const mailVariables = (mailDir: string, around: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const set = Object.fromEntries(Object.entries(around).filter(([name]) => name.startsWith('MAIL_')));
  return { ...(!set['MAIL_URL'] && { MAIL_DIR: mailDir }), ...set };
};

/** The keys of push messages: those of the environment, else the stack's own. */
const vapidVariables = ({ vapid }: Instance, around: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  around['VAPID_PUBLIC_KEY']
    ? {}
    : {
        VAPID_PUBLIC_KEY: vapid.publicKey,
        VAPID_PRIVATE_KEY: vapid.privateKey,
        VAPID_SUBJECT: 'mailto:operator@covalence.example',
      };

/** Limits of production that would stop demos, seeds and load tests, all of which come from one address. */
const localLimits = {
  REGISTRATIONS_PER_HOUR: '1000000',
  TAKEN_NAMES_PER_HOUR: '1000000',
  USERNAMES_PER_HOUR: '1000000',
};

/** The local stack sells by the sandbox, which takes no money, unless the environment says otherwise. */
const paymentVariables = (around: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  around['PAYMENT_PROVIDERS'] === undefined
    ? { PAYMENT_PROVIDERS: 'sandbox', ALLOW_SANDBOX_PAYMENTS: 'true' }
    : {};

/** The sites file of a stack. */
const sitesFileIn = (around: NodeJS.ProcessEnv): string =>
  around['SITES_FILE'] ?? join(root, 'config/sites.json');

/** The sites of a stack. */
export const sitesIn = (around: NodeJS.ProcessEnv): Sites =>
  parseSites(JSON.parse(readFileSync(sitesFileIn(around), 'utf8')));

/** Where the other parts call a part. */
export const innerUrl = (ports: ServiceSetting['ports'], name: ServiceName): string =>
  `http://127.0.0.1:${ports[name].port}`;

/** The environment of one part. Secrets go only to those who need them. */
export function serviceEnvironment(
  name: ServiceName,
  setting: ServiceSetting,
): Record<string, string | undefined> {
  const { instance, engines, ports, publicUrl, photoDir, mailDir, around } = setting;
  const peers = serviceNames.filter((peer) => peer !== 'gateway');
  // An address in the environment comes first, as with engines: a part that runs elsewhere, or behind something.
  const peerUrl = (peer: ServiceName) => around[addressVariable(peer)] ?? innerUrl(ports, peer);
  return {
    ...localLimits,
    ...inherited(around),
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: codeCache,
    HOST: '127.0.0.1',
    PORT: String(ports[name].port),
    MANAGEMENT_PORT: String(ports[name].managementPort),
    LOG_LEVEL: around['LOG_LEVEL'] ?? 'info',
    NAMESPACE: instance.namespace,
    SITES_FILE: sitesFileIn(around),
    PUBLIC_URL: publicUrl,
    ...variablesOf(engines),
    ...variablesOf(Object.fromEntries(peers.map((peer) => [peer, peerUrl(peer)]))),
    ...(name !== 'gateway' && {
      SERVICE_SECRET: instance.serviceSecrets[name],
      SERVICE_PUBLIC_KEYS: publicKeysOf(instance.serviceSecrets),
    }),
    ...(name === 'auth' && { AUTH_SECRET: instance.authSecret, ...mailVariables(mailDir, around) }),
    ...(name === 'billing' && paymentVariables(around)),
    ...(name === 'updates' && vapidVariables(instance, around)),
    ...(name === 'profile' && { PHOTO_DIR: photoDir, POSITION_SECRET: instance.positionSecret }),
  };
}
