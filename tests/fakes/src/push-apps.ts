import { certificate } from '@covalence/testing/push-certificate';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { startApns } from './apns.ts';
import type { startFcm } from './fcm.ts';

/** The ids of the apps in the list. */
export const testApps = { ios: 'heartland-ios', android: 'heartland-android' } as const;

/** Writes the list of apps for PUSH_APPS_FILE: one of each running fake, for the members of `sites`. */
export async function writePushApps(
  { apns, fcm }: { apns: Awaited<ReturnType<typeof startApns>>; fcm?: Awaited<ReturnType<typeof startFcm>> },
  sites: readonly number[] = [1],
) {
  const folder = await mkdtemp(join(tmpdir(), 'push-apps-'));
  const list = [
    {
      id: testApps.ios,
      sites,
      ...apns.app,
      key_file: 'apple.p8',
      environments: ['production', 'sandbox'],
      url: apns.url,
    },
    ...(fcm
      ? [
          {
            id: testApps.android,
            sites,
            platform: 'android',
            service_account_file: 'google.json',
            url: fcm.url,
            token_url: fcm.tokens.url,
          },
        ]
      : []),
  ];
  const file = join(folder, 'apps.json');
  const trusted = join(folder, 'ca.pem');
  await Promise.all([
    writeFile(join(folder, 'apple.p8'), apns.keyFile),
    fcm && writeFile(join(folder, 'google.json'), fcm.tokens.keyFile),
    writeFile(file, JSON.stringify(list)),
    writeFile(trusted, certificate),
  ]);
  return {
    file,
    /** The settings of a process that sends to the fakes. */
    settings: { PUSH_APPS_FILE: file, NODE_EXTRA_CA_CERTS: trusted },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
