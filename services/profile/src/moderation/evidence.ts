import type { Photo } from '../members/document/member.ts';
import type { HeldPhoto } from '../members/document/decision.ts';

/** A message between reporter and reported. It names neither, so that nothing of an erased reporter is left. */
export interface EvidenceMessage {
  readonly by: 'reporter' | 'reported';
  readonly text: string;
  readonly at: Date;
}

/** A photo at the time of the report. The files are those of the photo. */
export interface EvidencePhoto extends HeldPhoto {
  readonly status: Photo['status'];
  readonly private?: boolean;
}

/** What a report keeps of the reported member. */
export interface Evidence {
  /** UUIDv7, so ids sort by time. */
  readonly id: string;
  readonly reported: number;
  /** Absent after the reporter was erased, like the reason. */
  readonly reporter?: number;
  readonly reason?: string;
  readonly at: Date;
  /** Texts that others read, and texts that waited for review, by field. */
  readonly texts: Readonly<Record<string, unknown>>;
  readonly pending: Readonly<Record<string, string>>;
  readonly photos: readonly EvidencePhoto[];
  /** The last messages between the two, oldest first, deleted ones included. */
  readonly messages: readonly EvidenceMessage[];
  /** Hash of the content, so that equal evidence is stored once. */
  readonly digest: string;
}
