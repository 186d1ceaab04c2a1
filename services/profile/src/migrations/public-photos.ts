import type { Migration, MigrationWork } from '@covalence/migrations/migration';
import { updateEach } from '@covalence/migrations/update-each';
import type { Member } from '../members/document/member.ts';
import { publicPhotosOf } from '../members/document/public-photos.ts';

/**
 * Approved photos of visible members were public under the name of their stored file. It becomes their public name, so that
 * the addresses that were given of them stay good until they are public no longer.
 */
const setNames = (work: MigrationWork): Promise<number> =>
  updateEach<Member>(work, {
    collection: 'members',
    filter: {
      _id: { $gt: 0 },
      $or: [{ 'photos.status': 'approved' }, { public_photos: { $exists: true } }],
    },
    set: (member) => {
      const { public_photos: before = [] } = member;
      const named = publicPhotosOf(member, ({ stem }) => stem) ?? [];
      return JSON.stringify(named) === JSON.stringify(before) ? undefined : { public_photos: named };
    },
  });

/** Photos that everybody may see have a public name. */
export const namePublicPhotos: Migration = {
  name: '0004-public-photos',
  what: 'approved photos of visible members have a public name',
  runs: 'before',
  async up(work) {
    await setNames(work);
  },
};

/** What the version before wrote in the meantime. */
export const nameRestOfPublicPhotos: Migration = {
  name: '0005-public-photos-rest',
  what: 'the same for those written meanwhile',
  runs: 'after',
  async up(work) {
    await setNames(work);
  },
};
