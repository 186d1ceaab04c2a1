import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { queueKey, type Outcome } from './queue-queries.ts';
import type { Unit } from './review.ts';

/** Why something is rejected: a saved reason, or an own text, and the facts as the member reads them. */
export type Why = ({ readonly reason_id: string } | { readonly reason: string }) & {
  readonly facts?: string;
};

/** Time in which a decision can be undone. */
export const undoMs = 30_000;

/** A decision of this page on one or several units. */
export interface Made {
  readonly id: number;
  readonly units: readonly Unit[];
  /** Why the units were rejected; undefined for an approval. */
  readonly why: Why | undefined;
  /** When it was sent: a decision can be undone a little longer than this page says. */
  readonly at: number;
  readonly state: 'pending' | 'made' | 'undoing' | 'undone' | 'failed';
  readonly outcomes: readonly Outcome[];
  /** Why the call or the undo failed. */
  readonly error?: Error;
}

/** The units whose decision was refused, with the refusal. */
export const refusedOf = ({ units, outcomes }: Made): { unit: Unit; outcome: Outcome }[] =>
  units.flatMap((unit, at) => {
    const outcome = outcomes[at];
    return outcome && outcome.status !== 200 ? [{ unit, outcome }] : [];
  });

/** The ids by which a decision is undone. */
const undoIds = ({ outcomes }: Made) =>
  outcomes.flatMap(({ decision_id: id }) => (id === undefined ? [] : [id]));

/** Whether a decision can still be undone. */
export const canUndo = (made: Made, now: number): boolean =>
  made.state === 'made' && undoIds(made).length > 0 && now < made.at + undoMs;

let made = 0;

/** Makes decisions, remembers those of the page and takes them back. `onUndone` gets the members whose entries wait again. */
export function useDecisions(onUndone: (members: readonly number[]) => void) {
  const api = useApi();
  const queries = useQueryClient();
  const [log, setLog] = useState<readonly Made[]>([]);
  const change = (id: number, to: Partial<Made>) =>
    setLog((all) => all.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const refresh = () => void queries.invalidateQueries({ queryKey: queueKey });

  const decide = useMutation({
    mutationFn: ({
      units,
      why,
      removesBans,
    }: {
      readonly id: number;
      readonly units: readonly Unit[];
      readonly why?: Why;
      readonly removesBans: boolean;
    }) => {
      const decisions = units.map(({ kind, id, revision, text }) => ({
        kind,
        id,
        revision,
        decision: why ? ('reject' as const) : ('approve' as const),
        ...(text && { field: text.field }),
        ...why,
        ...(!why && removesBans && { remove_bans: true }),
      }));
      return dataOf(api.POST('/staff/queue/decide', { body: { decisions } }));
    },
    onSuccess: ({ outcomes }, { id }) => change(id, { state: 'made', outcomes }),
    onError: (error, { id }) => change(id, { state: 'failed', error }),
    onSettled: refresh,
  });

  const undo = useMutation({
    mutationFn: async (one: Made) => {
      const members: number[] = [];
      for (const decisionid of undoIds(one)) {
        const params = { path: { decisionid } };
        const { id } = await dataOf(api.POST('/staff/decisions/{decisionid}/undo', { params }));
        members.push(id);
      }
      return [...new Set(members)];
    },
    onMutate: ({ id }) => change(id, { state: 'undoing' }),
    onSuccess: (members, { id }) => {
      change(id, { state: 'undone' });
      onUndone(members);
    },
    onError: (error, { id }) => change(id, { state: 'failed', error }),
    onSettled: refresh,
  });

  return {
    log,
    /** `removesBans`: an approval also removes the entries of the ban list that matched. */
    decide(units: readonly Unit[], why?: Why, removesBans = false) {
      made += 1;
      const one: Made = { id: made, units, why, at: Date.now(), state: 'pending', outcomes: [] };
      setLog((all) => [one, ...all]);
      decide.mutate({ id: made, units, removesBans, ...(why && { why }) });
    },
    undo: (one: Made) => undo.mutate(one),
    dismiss: (id: number) => setLog((all) => all.filter((one) => one.id !== id)),
  };
}

/** The decisions of a page. */
export type Decisions = ReturnType<typeof useDecisions>;
