import type { Sites } from '@covalence/contract/sites';
import type { Migration } from '@covalence/migrations/migration';
import { reviewAnswers, reviewOtherAnswers } from './answers.ts';
import { dropListIndexes } from './list-indexes.ts';
import { namePublicPhotos, nameRestOfPublicPhotos } from './public-photos.ts';
import { queueRest, queueWaiting } from './waiting.ts';

/**
 * Every migration of the profile database, in order; new ones are added at the end, those of one release with everything that
 * runs `before` it first. `sites` say how texts are reviewed.
 */
export const migrationsOf = (sites: Sites): readonly Migration[] => [
  queueWaiting,
  queueRest,
  dropListIndexes,
  namePublicPhotos,
  reviewAnswers(sites),
  nameRestOfPublicPhotos,
  reviewOtherAnswers(sites),
];
