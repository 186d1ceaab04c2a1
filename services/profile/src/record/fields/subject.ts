import type { RecordUse } from '@covalence/contract/record';
import type { Site } from '@covalence/contract/sites';
import type { Member } from '../../members/document/member.ts';
import type { ShownPosition } from '../../members/places/shown-position.ts';
import type { Relation } from './relation.ts';
import type { PhotoAddress } from './photo-object.ts';
import type { Presence } from '../../members/document/presence.ts';

/** Everything that a record is computed from: the member, the viewer and their relation. */
export interface Subject {
  readonly use: RecordUse;
  readonly member: Member;
  readonly viewer: Member;
  readonly relation: Relation;
  readonly canStartThread: boolean;
  readonly site: Site;
  readonly viewerSite: Site;
  readonly presence: Presence;
  readonly now: Date;
  /** Locale of labels and places: the viewer's. */
  readonly locale: string;
  /** The member's address, for their own record; '' otherwise. */
  readonly email: string;
  /** The address that waits to be confirmed; known in the own record only. */
  readonly pendingEmail: string | undefined;
  /** Names of the answers that a record in a list shows; a single one shows all. */
  readonly answers?: ReadonlySet<string>;
  readonly photoAddress: PhotoAddress;
  readonly photoSharing: boolean;
  readonly shownPosition: ShownPosition;
}

/** One field of the member record: for which uses it is sent, and how it is computed. */
export interface RecordField {
  readonly name: string;
  readonly uses: readonly RecordUse[];
  readonly when?: (subject: Subject) => boolean;
  readonly value: (subject: Subject) => unknown;
}

const field =
  (...uses: RecordUse[]) =>
  (name: string, value: RecordField['value'], when?: RecordField['when']): RecordField => ({
    name,
    uses,
    value,
    ...(when && { when }),
  });

/** Sent in every record. */
export const always = field('self', 'single', 'search');

/** Marked (self): the member's own record only. */
export const own = field('self');

/** Marked (single): not in search results. */
export const single = field('self', 'single');

/** Search results only. */
export const inSearch = field('search');

/** `y` or `n`, as the older fields say it. */
export const yesNo = (truth: boolean): 'y' | 'n' => (truth ? 'y' : 'n');
