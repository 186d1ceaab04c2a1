import type { Clock } from '@covalence/runtime/clock';
import { shareRecent } from '@covalence/runtime/share-recent';
import type { RequestHandler } from 'express';
import type { ClientApplication, ClientStore } from './client-store.ts';

/** Seconds for which phones and proxies may keep a file. */
const cachedSeconds = 300;
/** For this time a process answers with what it has read, so that requests cannot load the database. */
const readEveryMs = 5_000;

/** Apps of Android that share passkeys and links with this server (Digital Asset Links). */
const assetLinks = (clients: readonly ClientApplication[]) =>
  clients.flatMap(({ android_app: app }) =>
    app
      ? {
          relation: [
            'delegate_permission/common.handle_all_urls',
            'delegate_permission/common.get_login_creds',
          ],
          target: {
            namespace: 'android_app',
            package_name: app.package,
            sha256_cert_fingerprints: app.fingerprints,
          },
        }
      : [],
  );

/** Apps of Apple's platforms that share passkeys with this server. */
const appleAssociation = (clients: readonly ClientApplication[]) => ({
  webcredentials: { apps: [...new Set(clients.flatMap(({ ios_app: app }) => app ?? []))] },
});

/** The files by which phones know the apps of this server, by path. */
const files: Readonly<Record<string, (clients: readonly ClientApplication[]) => unknown>> = {
  '/.well-known/assetlinks.json': assetLinks,
  '/.well-known/apple-app-site-association': appleAssociation,
};

/** Handlers of the association files, by path. Disabled clients are left out. */
export function appAssociations({ all }: Pick<ClientStore, 'all'>, clock: Clock): [string, RequestHandler][] {
  // A query of mongoose runs with each `then`; a promise does not.
  const read = () => Promise.resolve(all());
  const current = shareRecent(readEveryMs, read, () => clock().getTime());
  return Object.entries(files).map(([path, fileOf]) => [
    path,
    async (_request, response) => {
      const clients = await current();
      response
        .set('Cache-Control', `public, max-age=${cachedSeconds}`)
        .json(fileOf(clients.filter(({ disabled }) => !disabled)));
    },
  ]);
}

/** Origins of an Android app in the answers of its authenticator: the hashes of its certificates. */
export const androidOrigins = (app: ClientApplication['android_app']): string[] =>
  (app?.fingerprints ?? []).map((fingerprint) => {
    const hash = Buffer.from(fingerprint.replaceAll(':', ''), 'hex');
    return `android:apk-key-hash:${hash.toString('base64url')}`;
  });
