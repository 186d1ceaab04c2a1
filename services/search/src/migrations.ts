import type { Migration } from '@covalence/migrations/migration';
import type { Relations } from './relations/relations.ts';

/** Every migration of what search keeps, in order; new ones are added at the end. */
export const migrations = ({
  relations,
}: {
  readonly relations: Pick<Relations, 'dropFormer'>;
}): readonly Migration[] => [
  {
    name: '0001-relations-by-lookup',
    what: 'the kept relations of the version before, which queries looked up, go',
    runs: 'after',
    up: () => relations.dropFormer(),
  },
];
