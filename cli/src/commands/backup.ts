import { createDisk } from '@covalence/profile/photos/photo-storage-store';
import { photoStorageOf } from '@covalence/profile/photos/photo-storage-settings';
import { action, type Command } from '@covalence/runtime/command';
import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { readToolConfig } from '@covalence/runtime/config';
import { pluralize } from '@covalence/runtime/pluralize';
import { dataLayout } from '@covalence/stack/checkout';
import { addressVariables } from '@covalence/stack/address-variable';
import { readRunning } from '@covalence/stack/services/running';
import { createBackup } from '../backup/create-backup.ts';
import { openDatabases } from '../backup/databases-store.ts';
import { recordDeletions } from '../backup/deletions.ts';
import { documentsOf, findBackup, listBackups, verifyBackup, type Manifest } from '../backup/manifest.ts';
import { restorePhotos } from '../backup/photos.ts';
import { createBackupStore } from '../backup/backup-store.ts';
import { restore } from '../backup/restore.ts';
import { createSealing } from '../backup/sealing.ts';
import { backupSettings, type BackupSettings } from '../backup/settings.ts';
import { environmentOf, type CommandContext } from '../command-context.ts';

/** The settings of the environment; those of the local stack have the accounts of its operator. */
function settingsOf(context: CommandContext): BackupSettings {
  const { environment, dataFolder } = context;
  if (environment['NAMESPACE']) return readToolConfig(backupSettings, environment);
  const { engines } = readRunning(dataLayout(dataFolder()).runningFile);
  return readToolConfig(backupSettings, {
    ...environmentOf('profile', context),
    ...addressVariables(Object.entries(engines)),
  });
}

/** The store of the backups. Files in it are readable by their owner only. */
function storeOf(settings: BackupSettings) {
  process.umask(0o077);
  const { BACKUP_IDENTITIES: identities = [], BACKUP_RECIPIENTS: recipients = [] } = settings;
  const storage = photoStorageOf({
    PHOTO_DIR: settings.BACKUP_DIR,
    PHOTO_S3_BUCKET: settings.BACKUP_S3_BUCKET,
    PHOTO_S3_REGION: settings.BACKUP_S3_REGION,
    PHOTO_S3_ENDPOINT: settings.BACKUP_S3_ENDPOINT,
    PHOTO_S3_ACCESS_KEY_ID: settings.BACKUP_S3_ACCESS_KEY_ID,
    PHOTO_S3_SECRET_ACCESS_KEY: settings.BACKUP_S3_SECRET_ACCESS_KEY,
  });
  const folder = 'folder' in storage ? storage.folder : undefined;
  return createBackupStore(createDisk(storage), createSealing(recipients, identities), folder);
}

async function withDatabases<Result>(
  { MONGODB_URL: url, NAMESPACE: namespace }: BackupSettings,
  work: (databases: Awaited<ReturnType<typeof openDatabases>>) => Promise<Result>,
): Promise<Result> {
  const databases = await openDatabases(url, namespace);
  try {
    return await work(databases);
  } finally {
    await databases.close();
  }
}

const totalOf = (manifest: Manifest) => ({
  documents: documentsOf(manifest),
  bytes: manifest.collections.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0),
});

const lineOf = (manifest: Manifest): string => {
  const { documents, bytes } = totalOf(manifest);
  const photos = manifest.photos === null ? 'no photos' : pluralize(manifest.photos, 'photo file');
  const flaws = [
    ...(manifest.snapshot ? [] : [', not at one point']),
    ...(manifest.encrypted ? [] : [', not encrypted']),
  ];
  return `${manifest.id}  ${pluralize(documents, 'document')}, ${bytes} bytes, ${photos}${flaws.join('')}`;
};

interface LossFlag {
  readonly acceptLoss?: true;
}

const acceptLossOption = ['--accept-loss', 'also where far less is stored than before'] as const;

/** Adds `covalence backup …`. */
export function addBackupCommands(program: Command, context: CommandContext): void {
  const group = program.command('backup').description('backups of all stores (docs/deploy.md)');
  group
    .command('create')
    .description('back up MongoDB at one point in time, and the photos')
    .option('--without-photos', 'leave out the photos, for a bucket that keeps versions')
    .option('--without-snapshot', 'allow a MongoDB that is not a replica set, as under npm start')
    .option(...acceptLossOption)
    .action(
      action<LossFlag & { withoutPhotos?: true; withoutSnapshot?: true }>(async ({ options, output }) => {
        const settings = settingsOf(context);
        const manifest = await withDatabases(settings, (databases) =>
          createBackup({
            databases,
            photos: options.withoutPhotos ? undefined : createDisk(photoStorageOf(settings)),
            store: storeOf(settings),
            days: settings.BACKUP_DAYS,
            withoutSnapshot: options.withoutSnapshot === true,
            acceptLoss: options.acceptLoss === true,
            print: output.line,
          }),
        );
        output.line(lineOf(manifest));
        const { collections: _collections, ...rest } = manifest;
        output.data({ ...rest, ...totalOf(manifest) });
      }),
    );
  group
    .command('deletions')
    .description('record the deleted, suspended and disabled accounts for the next restore')
    .option(...acceptLossOption)
    .action(
      action<LossFlag>(async ({ options, output }) => {
        const settings = settingsOf(context);
        const { at, members, accounts, clients } = await withDatabases(settings, (databases) =>
          recordDeletions(databases, storeOf(settings), {
            days: settings.BACKUP_DAYS,
            acceptLoss: options.acceptLoss === true,
          }),
        );
        output.line(`${pluralize(members.length, 'deletion')}, ${accounts.length + clients.length} disabled`);
        output.data({ at, members: members.length, accounts: accounts.length, clients: clients.length });
      }),
    );
  group
    .command('list')
    .description('list the backups, oldest first')
    .action(
      action(async ({ output }) => {
        const all = await listBackups(storeOf(settingsOf(context)));
        for (const manifest of all) output.line(lineOf(manifest));
        output.data(all.map(({ collections: _collections, ...rest }) => rest));
      }),
    );
  group
    .command('verify')
    .description('compare the documents of a backup, the newest by default, with their checksums')
    .argument('[id]', 'the backup')
    .action(
      action(async ({ args: [id], output }) => {
        const settings = settingsOf(context);
        const store = storeOf(settings);
        const manifest = await findBackup(store, id);
        const isOpened = !manifest.encrypted || settings.BACKUP_IDENTITIES !== undefined;
        const files = await verifyBackup(store, manifest, isOpened);
        const untried = isOpened ? '' : ' and decryption (no BACKUP_IDENTITIES)';
        output.line(`${manifest.id}: ${pluralize(files, 'file')} of documents as they were stored`);
        output.line(`Not checked: photos${untried}.`);
        output.data({ id: manifest.id, files, decrypted: isOpened });
      }),
    );
}

interface RestoreFlags {
  readonly replace?: true;
  readonly loaded?: string;
  readonly ignoreDeletions?: true;
  readonly photosOnly?: true;
}

function copiesOf({ NAMESPACE: namespace, RABBITMQ_URL, REDIS_URL, ELASTICSEARCH_URL }: BackupSettings) {
  if (!RABBITMQ_URL || !REDIS_URL || !ELASTICSEARCH_URL)
    throw new CommandError('A restore also needs RABBITMQ_URL, REDIS_URL and ELASTICSEARCH_URL.');
  return { namespace, rabbitmq: RABBITMQ_URL, redis: REDIS_URL, elasticsearch: ELASTICSEARCH_URL };
}

const pointOf = (text: string): Date => {
  const point = new Date(text);
  if (Number.isNaN(point.getTime()))
    throw new UsageError(`'${text}' is not a time such as 2026-11-27T03:00:00Z.`);
  return point;
};

/** Adds `covalence restore`. */
export function addRestoreCommand(program: Command, context: CommandContext): void {
  program
    .command('restore')
    .description('bring all stores to a backup, the newest by default; services must be stopped')
    .argument('[id]', 'the backup')
    .option('--replace', 'delete the data of the system first')
    .option(
      '--loaded <time>',
      'MongoDB and photos were restored to this time by other tools: only run the remaining steps',
    )
    .option('--ignore-deletions', 'do not repeat deletions that were recorded since')
    .option('--photos-only', 'only copy back missing photos, also while services run')
    .action(
      action<RestoreFlags>(async ({ args: [id], options, output }) => {
        const settings = settingsOf(context);
        const store = storeOf(settings);
        if (options.photosOnly) {
          const point = new Date();
          const { copied, failed } = await withDatabases(settings, (databases) =>
            restorePhotos(createDisk(photoStorageOf(settings)), { databases, store, point }),
          );
          output.line(`${pluralize(copied, 'photo file')} copied back, ${failed.length} cannot be read`);
          output.data({ photos: copied, photos_unreadable: failed.length });
          return;
        }
        const from = options.loaded ? pointOf(options.loaded) : await findBackup(store, id);
        const result = await withDatabases(settings, (databases) =>
          restore({
            databases,
            store,
            from,
            photos: createDisk(photoStorageOf(settings)),
            copies: copiesOf(settings),
            replace: options.replace === true,
            ignoreDeletions: options.ignoreDeletions === true,
            days: settings.BACKUP_DAYS,
            print: output.line,
          }),
        );
        output.line(
          result.deletions_until
            ? `Restored to ${result.point} in ${result.seconds} s; deletions are known until ${result.deletions_until}.`
            : `Restored to ${result.point} in ${result.seconds} s; deletions since are not repeated.`,
        );
        if (result.photos_unreadable)
          output.line(`${pluralize(result.photos_unreadable, 'photo file')} of the backups cannot be read.`);
        output.line('Migrate and start the services; then settle what docs/deploy.md lists.');
        output.data(result);
      }),
    );
}
