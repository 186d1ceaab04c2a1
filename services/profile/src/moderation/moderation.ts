import type { Connection } from 'mongoose';
import type { HeldPhoto } from '../members/document/member.ts';
import type { HourlyLimitStore } from '../members/store/hourly-limit-store.ts';
import type { MessagesContext } from '../messages/messages.ts';
import type { PhotosContext } from '../photos/photos.ts';
import { createAppealStore } from './store/appeal-store.ts';
import { createApprovalStore } from './store/approval-store.ts';
import { createClaimStore } from './store/claim-store.ts';
import { createDecisionStore } from './store/decision-store.ts';
import { createEvidenceStore } from './store/evidence-store.ts';
import { createNoteStore } from './store/note-store.ts';
import { createQueueStore } from './store/queue-store.ts';
import { createReportStore } from './store/report-store.ts';
import { createScamFlagStore } from './store/scam-flag-store.ts';
import type { SavedReasons } from './saved-reasons.ts';
import { createSignalStore } from './store/signal-store.ts';
import { createSearchStore } from './store/search-store.ts';
import { createTransparencyStore } from './store/transparency-store.ts';
import { createUndoStore } from './store/undo-store.ts';
import { createWarningStore } from './store/warning-store.ts';

/** Stores of Customer Service. */
export type Moderation = ReturnType<typeof createModeration>;

/** Dependencies of the Customer Service operations. */
export interface ModerationContext extends PhotosContext, MessagesContext {
  readonly moderation: Moderation;
}

/** Creates the stores of Customer Service. `searchLimit` counts by staff account; the days are those of EVIDENCE_DAYS and REJECTED_DAYS. */
export function createModeration(
  connection: Connection,
  searchLimit: HourlyLimitStore,
  {
    secret,
    ...settings
  }: {
    readonly evidenceDays: number;
    readonly rejectedDays: number;
    readonly savedReasons: SavedReasons;
    /** The secret that the key of signals is derived from. */
    readonly secret: string;
  },
) {
  return {
    queue: createQueueStore(connection),
    claims: createClaimStore(connection),
    undoable: createUndoStore(connection),
    search: createSearchStore(connection),
    searchLimit,
    decisions: createDecisionStore(connection),
    reports: createReportStore(connection),
    evidence: createEvidenceStore(connection),
    appeals: createAppealStore(connection),
    approvals: createApprovalStore(connection),
    notes: createNoteStore(connection),
    transparency: createTransparencyStore(connection),
    warnings: createWarningStore(connection),
    signals: createSignalStore(connection, secret),
    scamFlags: createScamFlagStore(connection),
    ...settings,
  };
}

/** A photo that a rejection or a report refers to: its files stay, whatever its member does, until retention ends. */
export async function findHeldPhoto(
  { decisions, evidence }: Pick<Moderation, 'decisions' | 'evidence'>,
  photo: number,
): Promise<HeldPhoto | undefined> {
  return (await decisions.holding(photo)) ?? evidence.holding(photo);
}
