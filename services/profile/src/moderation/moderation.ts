import type { Connection } from 'mongoose';
import type { HeldPhoto } from '../members/document/decision.ts';
import type { MessagesContext } from '../messages/messages.ts';
import type { PhotosContext } from '../photos/photos.ts';
import { createDecisionStore, type DecisionStore } from './decision-store.ts';
import { createEvidenceStore, type EvidenceStore } from './evidence-store.ts';
import { createQueueStore, type QueueStore } from './queue-store.ts';
import { createReportStore, type ReportStore } from './report-store.ts';

/** What operations of Customer Service work with. */
export interface Moderation {
  readonly queue: QueueStore;
  readonly decisions: DecisionStore;
  readonly reports: ReportStore;
  readonly evidence: EvidenceStore;
  /** Days that evidence is kept after its report was closed. */
  readonly evidenceDays: number;
  /** Days that staff can read a rejected text or photo. */
  readonly rejectedDays: number;
}

/** What operations of Customer Service receive. */
export interface ModerationContext extends PhotosContext, MessagesContext {
  readonly moderation: Moderation;
}

/** Creates the stores of Customer Service. */
export function createModeration(
  connection: Connection,
  days: Pick<Moderation, 'evidenceDays' | 'rejectedDays'>,
): Moderation {
  return {
    queue: createQueueStore(connection),
    decisions: createDecisionStore(connection),
    reports: createReportStore(connection),
    evidence: createEvidenceStore(connection),
    ...days,
  };
}

/**
 * A photo that a rejection or a report refers to: its files stay, whatever its member does, until retention ends. Undefined
 * where neither does.
 */
export async function findHeldPhoto(
  { decisions, evidence }: Pick<Moderation, 'decisions' | 'evidence'>,
  photo: number,
): Promise<HeldPhoto | undefined> {
  return (await decisions.holding(photo)) ?? evidence.holding(photo);
}
