import { parseSites, type Sites } from '@covalence/contract/sites';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressVariable, addressVariables } from '../address-variable.ts';
import { codeCache, consoleFolder, root } from '../checkout.ts';
import type { EngineName } from '../engines/engine.ts';
import { publicKeysOf } from './credentials.ts';
import type { Instance } from './instance.ts';
import { serviceNames, type ServiceName } from './service-name.ts';

/** The ports of one service. */
export interface ServicePorts {
  readonly port: number;
  readonly managementPort: number;
}

/** Inputs of a service's environment. */
export interface ServiceSetting {
  readonly instance: Instance;
  /** Addresses of the engines that the service needs. */
  readonly engines: Readonly<Partial<Record<EngineName, string>>>;
  readonly ports: Readonly<Record<ServiceName, ServicePorts>>;
  /** The public address of the API and of sign-in. */
  readonly publicUrl: string;
  readonly photoDir: string;
  /** Folder of sent mails, unless MAIL_URL names a server. */
  readonly mailDir: string;
  /** The environment of the command: PATH, proxies, overridden limits. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Variables that services do not inherit: those of npm and jest, and the keys of operators. */
const excluded =
  /^(npm_|JEST_|NODE_OPTIONS$|NODE_CHANNEL_|NODE_UNIQUE_ID$|HOST$|PORT$|LOG_LEVEL$|MAIL_|OPERATOR_SECRET$|STAFF_SECRET$)/;

const inherited = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !excluded.test(name)));

/** The mail settings of the environment; without a server, mails are written to the folder. */
const mailVariables = (mailDir: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const set = Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('MAIL_')));
  return { ...(!set['MAIL_URL'] && { MAIL_DIR: mailDir }), ...set };
};

/** The keys for push messages: those of the environment, else the stack's own. */
const vapidVariables = ({ vapid }: Instance, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  environment['VAPID_PUBLIC_KEY']
    ? {}
    : {
        VAPID_PUBLIC_KEY: vapid.publicKey,
        VAPID_PRIVATE_KEY: vapid.privateKey,
        VAPID_SUBJECT: 'mailto:operator@covalence.example',
      };

/** Raised limits, because demos, seeds and load tests use one address. */
const localLimits = {
  REGISTRATIONS_PER_HOUR: '1000000',
  TAKEN_NAMES_PER_HOUR: '1000000',
  USERNAMES_PER_HOUR: '1000000',
};

/** The staff account of a demo signs in by password alone. */
const staffSignIn = { STAFF_SECOND_FACTOR: 'optional' };

/** Without PAYMENT_PROVIDERS, payments go to the sandbox, which takes no money. */
const paymentVariables = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  environment['PAYMENT_PROVIDERS'] === undefined
    ? { PAYMENT_PROVIDERS: 'sandbox', ALLOW_SANDBOX_PAYMENTS: 'true' }
    : {};

/** The console, once it is built. */
const consoleVariables = ({ consoleClientId }: Instance): NodeJS.ProcessEnv =>
  existsSync(consoleFolder) ? { CONSOLE_DIR: consoleFolder, CONSOLE_CLIENT_ID: consoleClientId } : {};

/** The sites file of a stack. */
export const sitesFileIn = (environment: NodeJS.ProcessEnv): string =>
  environment['SITES_FILE'] ?? join(root, 'config/sites.json');

/** The sites of a stack. */
export const sitesIn = (environment: NodeJS.ProcessEnv): Sites =>
  parseSites(JSON.parse(readFileSync(sitesFileIn(environment), 'utf8')));

/** The internal address of a service. */
export const innerUrl = (ports: ServiceSetting['ports'], name: ServiceName): string =>
  `http://127.0.0.1:${ports[name].port}`;

/** The environment of one service, with only the secrets it needs. */
export function serviceEnvironment(
  name: ServiceName,
  setting: ServiceSetting,
): Record<string, string | undefined> {
  const { instance, engines, ports, publicUrl, photoDir, mailDir, environment } = setting;
  const peers = serviceNames.filter((peer) => peer !== 'gateway');
  // An address in the environment takes precedence: a service that runs elsewhere or behind a proxy.
  const peerUrl = (peer: ServiceName) => environment[addressVariable(peer)] ?? innerUrl(ports, peer);
  return {
    ...localLimits,
    ...(name === 'auth' && staffSignIn),
    ...inherited(environment),
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: codeCache,
    HOST: '127.0.0.1',
    PORT: String(ports[name].port),
    MANAGEMENT_PORT: String(ports[name].managementPort),
    LOG_LEVEL: environment['LOG_LEVEL'] ?? 'info',
    NAMESPACE: instance.namespace,
    SITES_FILE: sitesFileIn(environment),
    PUBLIC_URL: publicUrl,
    ...addressVariables(Object.entries(engines)),
    ...addressVariables(peers.map((peer) => [peer, peerUrl(peer)])),
    ...(name === 'gateway' && consoleVariables(instance)),
    ...(name !== 'gateway' && {
      SERVICE_SECRET: instance.serviceSecrets[name],
      SERVICE_PUBLIC_KEYS: publicKeysOf(instance.serviceSecrets),
    }),
    ...(name === 'auth' && { AUTH_SECRET: instance.authSecret, ...mailVariables(mailDir, environment) }),
    ...(name === 'billing' && paymentVariables(environment)),
    ...(name === 'updates' && vapidVariables(instance, environment)),
    ...(name === 'profile' && { PHOTO_DIR: photoDir, POSITION_SECRET: instance.positionSecret }),
    ...(name === 'search' && { USAGE_SECRET: instance.usageSecret }),
  };
}
