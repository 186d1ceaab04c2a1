import { invalidArgument, notFound } from '@covalence/contract/failure';
import { optional } from '@covalence/contract/parameters';
import { appAddressText, pushCapabilities, pushEnvironments } from '@covalence/contract/push-address';
import { standardPushTypes } from '@covalence/contract/push-types';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { PushContext } from './push-context.ts';
import { callFor, chosenTypes, pushIds } from './web-push.ts';

/** A device token of Apple, in hexadecimal. */
const appleToken = /^([0-9a-f]{2}){32,100}$/;
/** A registration token of Firebase. */
const googleToken = /^[\w:-]{20,1024}$/;

const platform = z.enum(['ios', 'android', 'web']);
const environment = z.enum(pushEnvironments);

const device = {
  platform: platform.meta({ description: 'The system of the app; `web` is a page that uses Firebase.' }),
  token: z.string().min(1).max(1_024).meta({
    description: 'The token of Apple (hexadecimal) or of Firebase.',
  }),
  app: z.string().min(1).max(40).meta({ description: 'The name of the app, which the operator gives it.' }),
  environment: optional(environment).meta({
    type: 'string',
    enum: [...pushEnvironments],
    description: 'Apple’s environment that the token is of: `production` by default.',
  }),
};

type DeviceInput = Pick<z.output<z.ZodObject<typeof device>>, 'platform' | 'token' | 'app' | 'environment'>;

/** The address of a device, whether or not its app is configured. */
function addressOf({ platform: system, token: given, app, environment: stage = 'production' }: DeviceInput) {
  if (system !== 'ios') {
    if (stage !== 'production' || !googleToken.test(given)) throw invalidArgument();
    return appAddressText({ transport: 'fcm', app, environment: stage, token: given });
  }
  const token = given.toLowerCase();
  if (!appleToken.test(token)) throw invalidArgument();
  return appAddressText({ transport: 'apns', app, environment: stage, token });
}

/** 404 without push to apps, 403 for an app that the member's site does not have. */
function requireApp(
  { platform: system, app: id, environment: stage = 'production' }: DeviceInput,
  { siteid }: Caller,
  { push }: PushContext,
) {
  if (!push?.apps.size) throw notFound();
  const app = push.apps.get(id);
  if (app?.platform !== system || !app.sites.includes(siteid)) throw invalidArgument();
  if (app.platform === 'ios' && !app.environments.includes(stage)) throw invalidArgument();
}

const sampleToken = '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad';

/** POST /devices: registers a device with an installed app, or changes what it receives. */
export const registerDevice = endpoint({
  access: 'member',
  tag: 'Live updates',
  operationId: 'registerDevice',
  summary: 'Register a device for push messages',
  description:
    'Send it at each start of the app, and when the token changes: the new token replaces that of the same sign-in. A device belongs to the member who registered it last, and goes with the sign-in. A sign-in has up to three, a member up to 20, and the oldest go; where one of another sign-in would go, the sign-in must be at most 10 minutes old. A bad token, and an app that the member’s site does not have, are 403 without code. 404 where the operator sends no push to apps.',
  answer: 'The devices that receive push messages, and the kinds chosen.',
  example: { request: { platform: 'ios', token: sampleToken, app: 'heartland-ios', locale: 'de_DE' } },
  statuses: [404],
  bodyOnly: true,
  input: z.object({
    ...device,
    locale: optional(z.string().regex(/^[a-z]{2,3}([_-][A-Za-z]{2,4})?$/)).meta({
      type: 'string',
      maxLength: 8,
      description: 'The language of the device; the member’s by default.',
    }),
    capabilities: z.array(z.enum(pushCapabilities)).max(pushCapabilities.length).optional().meta({
      description:
        'What the app may show: a number on its icon, a sound, and on iOS messages that break through a focus.',
    }),
    types: chosenTypes,
  }),
  output: z
    .object({ push_ids: pushIds, types: z.array(z.string()).meta({ examples: [['message']] }) })
    .meta({ id: 'DeviceRegistration' }),
  async handler({ input, caller }, context: PushContext) {
    const { types = [...standardPushTypes], locale, capabilities } = input;
    requireApp(input, caller, context);
    const address = addressOf(input);
    if (!types.length) throw invalidArgument();
    const given = { endpoint: address, types, locale, capabilities };
    return { push_ids: await callFor(caller, context.profile.addPushDevice, given), types };
  },
});

/** DELETE /devices: removes one device, or every one of the member. */
export const removeDevice = endpoint({
  access: 'member',
  tag: 'Live updates',
  operationId: 'removeDevice',
  summary: 'Stop push messages to a device',
  description:
    'Ends the push messages to the device of `platform`, `token` and `app`, or without them to every device of the member, browsers included. Devices of other sign-ins than that of the token need a sign-in at most 10 minutes old.',
  answer: 'The devices that still receive push messages.',
  example: { request: { platform: 'ios', token: sampleToken, app: 'heartland-ios' } },
  bodyOnly: true,
  input: z.object({
    platform: device.platform.optional(),
    token: device.token.optional(),
    app: device.app.optional(),
    environment: device.environment,
  }),
  output: z.object({ push_ids: pushIds }).meta({ id: 'DeviceRegistrations' }),
  async handler({ input, caller }, { profile }: PushContext) {
    const { platform: system, token, app, environment: stage } = input;
    if (system === undefined && token === undefined && app === undefined) {
      return { push_ids: await callFor(caller, profile.removePushDevices, {}) };
    }
    if (system === undefined || token === undefined || app === undefined) throw invalidArgument();
    const address = addressOf({ platform: system, token, app, environment: stage });
    return { push_ids: await callFor(caller, profile.removePushDevices, { endpoint: address }) };
  },
});
