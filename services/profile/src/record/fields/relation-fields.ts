import { isoOrNull } from '@covalence/runtime/clock';
import { approvedPhotos, isPrimary, mainPhoto, photoObject, visiblePhotos } from './photo-object.ts';
import { sharedPhotos } from './relation.ts';
import { always, inSearch, yesNo, type RecordField, type Subject } from './subject.ts';

const photo = ({ member, use }: Subject) => mainPhoto(member, use === 'self');

const isPending = (subject: Subject) => photo(subject)?.status === 'pending';

const hasPrimary = (subject: Subject) => {
  const shown = photo(subject);
  return shown !== undefined && (subject.use !== 'self' || isPrimary(shown));
};

const noPhoto = { urlstem: '', extension: '' };

const photoOrNone = (subject: Subject) => {
  const shown = photo(subject);
  return shown ? photoObject(shown, subject.photoAddress(subject.member, shown)) : noPhoto;
};

const countPhotos = ({ member, use, relation, photoSharing }: Subject) => {
  const seesPrivate = photoSharing && relation.seesPrivate;
  return (use === 'self' ? approvedPhotos(member) : visiblePhotos(member, seesPrivate)).length;
};

/** The relation of viewer and member, and the photos that the viewer may see. */
export const relationFields: readonly RecordField[] = [
  always('cansendto', ({ canStartThread }) => yesNo(canStartThread)),
  always('covalence', ({ relation }) => relation.covalence),
  inSearch('isconnection', ({ relation }) => relation.isconnection),
  inSearch('covalencedatecreated', ({ relation }) => isoOrNull(relation.created)),
  inSearch('covalencedateanswered', ({ relation }) => isoOrNull(relation.answered)),
  always('blocked', ({ relation }) => relation.blocked),
  always('has_been_messaged', ({ relation }) => relation.messagedByThem),
  always('viewer_messaged_by_member', ({ relation }) => relation.messagedByThem),
  always('member_messaged_by_viewer', ({ relation }) => relation.messagedByMe),
  always('reported', ({ relation }) => relation.reportedByMe),
  always('photo_count', countPhotos),
  always('photo_pending', isPending),
  always('photopending', (subject) => (isPending(subject) ? 1 : 0)),
  always('photo_primary', hasPrimary),
  always('photo', photoOrNone),
  always('shared_photos', ({ relation, photoSharing }) => sharedPhotos(relation, photoSharing)),
];
