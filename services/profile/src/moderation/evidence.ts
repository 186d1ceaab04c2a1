import type { Photo } from '../members/document/member.ts';
import type { HeldPhoto } from '../members/document/decision.ts';

/** A message between reporter and reported. It names neither, so that nothing of a reporter who is erased is left. */
export interface EvidenceMessage {
  readonly by: 'reporter' | 'reported';
  readonly text: string;
  readonly at: Date;
}

/** A photo as it was when its member was reported; the files are those of the photo. */
export interface EvidencePhoto extends HeldPhoto {
  readonly status: Photo['status'];
  readonly private?: boolean;
}

/** What a report keeps of the reported member as they were. */
export interface Evidence {
  /** UUIDv7: the order of ids is that of time. */
  readonly id: string;
  readonly reported: number;
  /** Absent once the reporter was erased, as is the reason in their words. */
  readonly reporter?: number;
  readonly reason?: string;
  readonly at: Date;
  /** Texts that others read, by field, and texts that waited for a review. */
  readonly texts: Readonly<Record<string, unknown>>;
  readonly pending: Readonly<Record<string, string>>;
  readonly photos: readonly EvidencePhoto[];
  /** The last messages between the two, oldest first, also those that one of them had deleted. */
  readonly messages: readonly EvidenceMessage[];
  /** Hash of all this: what is the same is kept once. */
  readonly digest: string;
}
