import type { Migration } from '@covalence/migrations/migration';
import { dropListIndexes } from './list-indexes.ts';
import { namePublicPhotos, nameRestOfPublicPhotos } from './public-photos.ts';
import { queueRest, queueWaiting } from './waiting.ts';

/** Every migration of the profile database, in order; new ones are added at the end. */
export const migrations: readonly Migration[] = [
  queueWaiting,
  queueRest,
  dropListIndexes,
  namePublicPhotos,
  nameRestOfPublicPhotos,
];
