/** Services that carry push messages to installed apps: those of Apple and of Google. */
const appTransports = ['apns', 'fcm'] as const;

/** The environments of Apple's service; Google's has production only. */
export const pushEnvironments = ['production', 'sandbox'] as const;

/** An environment of a push service. */
export type PushEnvironment = (typeof pushEnvironments)[number];

/** Capabilities of a device with an app, in addition to showing the text. */
export const pushCapabilities = ['badge', 'sound', 'time_sensitive'] as const;

/** One of them. */
export type PushCapability = (typeof pushCapabilities)[number];

/** The form of an app's id in the operator's list of apps. */
export const appIdForm = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** An installed app on a device. */
export interface AppAddress {
  readonly transport: (typeof appTransports)[number];
  /** The app's id in the operator's list of apps. */
  readonly app: string;
  readonly environment: PushEnvironment;
  /** The token by which the push service knows the device. */
  readonly token: string;
}

const form = /^(apns|fcm):([a-z0-9-]{1,40})\/(production|sandbox)\/([\w:-]+)$/;

/** The text of an address, which identifies the device as the endpoint of a browser does. */
export const appAddressText = ({ transport, app, environment, token }: AppAddress): string =>
  `${transport}:${app}/${environment}/${token}`;

/** Reads the address of an app; undefined for the endpoint of a browser. */
export function readAppAddress(endpoint: string): AppAddress | undefined {
  const [, name, app, stage, token] = form.exec(endpoint) ?? [];
  const transport = appTransports.find((one) => one === name);
  const environment = pushEnvironments.find((one) => one === stage);
  return transport && app && environment && token ? { transport, app, environment, token } : undefined;
}
