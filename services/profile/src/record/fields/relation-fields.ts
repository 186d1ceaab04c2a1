import { isoOrNull } from '@covalence/runtime/clock';
import { refusalOf } from '../../pairs/eligibility.ts';
import { isPrimary, mainPhoto, photoObject, visiblePhotos } from './photo-object.ts';
import { sharedPhotos } from './shared-photos.ts';
import { always, inSearch, yesNo, type RecordField, type Subject } from './subject.ts';

/** Whether the viewer may start a new thread: the rule of POST /messages without one that there is. */
const canSend = ({ viewer, member, relation, sites, now }: Subject): boolean => {
  const newThread = { ...relation, messagedByMe: false, messagedByThem: false };
  const encounter = { viewer, other: member, relation: newThread, sites, now, purpose: 'message' } as const;
  return refusalOf(encounter) === undefined;
};

const photo = ({ member, use }: Subject) => mainPhoto(member, use === 'self');

const isPending = (subject: Subject) => photo(subject)?.status === 'pending';

const hasPrimary = (subject: Subject) => {
  const shown = photo(subject);
  return shown !== undefined && isPrimary(shown);
};

const noPhoto = { urlstem: '', extension: '' };

const photoOrNone = (subject: Subject) => {
  const shown = photo(subject);
  return shown ? photoObject(shown, subject.photoAddress(subject.member, shown)) : noPhoto;
};

const seesPrivate = ({ use, relation, photoSharing }: Subject) =>
  use === 'self' || (photoSharing && relation.seesPrivate);

/** What stands between viewer and member, and the photos as the viewer may see them. */
export const relationFields: readonly RecordField[] = [
  always('cansendto', (subject) => yesNo(canSend(subject))),
  always('covalence', ({ relation }) => relation.covalence),
  inSearch('isconnection', ({ relation }) => relation.isconnection),
  inSearch('covalencedatecreated', ({ relation }) => isoOrNull(relation.created)),
  inSearch('covalencedateanswered', ({ relation }) => isoOrNull(relation.answered)),
  always('blocked', ({ relation }) => relation.blocked),
  always('has_been_messaged', ({ relation }) => relation.messagedByThem),
  always('viewer_messaged_by_member', ({ relation }) => relation.messagedByThem),
  always('member_messaged_by_viewer', ({ relation }) => relation.messagedByMe),
  always('reported', ({ relation }) => relation.reportedByMe),
  always('photo_count', (subject) => visiblePhotos(subject.member, seesPrivate(subject)).length),
  always('photo_pending', isPending),
  always('photopending', (subject) => (isPending(subject) ? 1 : 0)),
  always('photo_primary', hasPrimary),
  always('photo', photoOrNone),
  always('shared_photos', ({ relation, photoSharing }) => sharedPhotos(relation, photoSharing)),
];
