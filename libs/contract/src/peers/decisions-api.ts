import { z } from 'zod';
import type { Exchange } from './exchange.ts';

/** Actions of staff that restrict a member, or something that the member published. */
export const restrictions = ['reject', 'reject-text', 'reject-photo', 'suspend', 'delete', 'ban'] as const;

/** An action that restricts a member. */
export type RestrictionAction = (typeof restrictions)[number];

/** Mails the statement of reasons of a decision. Not idempotent; unknown members are ignored. */
export const notifyDecision = {
  path: '/internal/accounts/notify-decision',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    decision_id: z.uuid(),
    locale: z.string(),
    action: z.enum(restrictions),
    /** The reason, in the language of the member. */
    text: z.string(),
    basis: z.enum(['terms', 'law']),
    clause: z.string().optional(),
    facts: z.string().optional(),
    /** Whether a report led to it, and whether a program pointed it out. */
    reported: z.boolean(),
    detected: z.boolean(),
    ban_until: z.iso.datetime().optional(),
    /** Whether the decision brought the member to points that propose a warning. */
    warned: z.boolean().optional(),
  }),
  output: z.object({}),
} as const satisfies Exchange;

/** Mails a reporter that staff closed the report without measures, which they can appeal. Not idempotent; unknown members are ignored. */
export const notifyReport = {
  path: '/internal/accounts/notify-report',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    decision_id: z.uuid(),
    locale: z.string(),
    filed_at: z.iso.datetime(),
  }),
  output: z.object({}),
} as const satisfies Exchange;

/** Mails that a deletion by staff was taken back. Not idempotent; unknown members are ignored. */
export const notifyRestored = {
  path: '/internal/accounts/notify-restored',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid(), locale: z.string() }),
  output: z.object({}),
} as const satisfies Exchange;

/** Warns a member of somebody banned for fraud, by mail. Not idempotent; unknown members are ignored. */
export const notifyFraud = {
  path: '/internal/accounts/notify-fraud',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    locale: z.string(),
    /** The name of the banned member. */
    username: z.string(),
    banned_at: z.iso.datetime(),
    help_url: z.string(),
    contact: z.string(),
  }),
  output: z.object({}),
} as const satisfies Exchange;

/** Mails a member who was warned of somebody that the ban was a mistake. Not idempotent; unknown members are ignored. */
export const notifyFraudOver = {
  path: '/internal/accounts/notify-fraud-over',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    locale: z.string(),
    /** The name of the member who was banned. */
    username: z.string(),
    warned_at: z.iso.datetime(),
  }),
  output: z.object({}),
} as const satisfies Exchange;

/** Mails how an appeal was decided. Not idempotent; unknown members are ignored. */
export const notifyAppeal = {
  path: '/internal/accounts/notify-appeal',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    locale: z.string(),
    outcome: z.enum(['granted', 'refused']),
    answer: z.string().optional(),
    /** It was against the closing of a report of the member. */
    of_report: z.boolean().optional(),
    /** Of a granted one: whether something was taken back, or the report is open, and the other decision that restricts the same. */
    restored: z.boolean().optional(),
    later: z.object({ decision_id: z.uuid(), action: z.enum(restrictions), at: z.iso.datetime() }).optional(),
  }),
  output: z.object({}),
} as const satisfies Exchange;
