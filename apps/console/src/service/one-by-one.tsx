import { Alert, Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { dataOf, useApi } from '../api/api.tsx';
import { useDrafts } from '../layout/drafts.tsx';
import { Problem } from '../layout/page.tsx';
import { usePerson } from '../session/person.ts';
import { useTexts } from '../texts/texts.ts';
import { useRemoveBans } from './ban-matches.tsx';
import { canUndo, useDecisions, type Why } from './decisions.ts';
import { useKeys } from './keys.ts';
import { KeysSwitch } from './keys-switch.tsx';
import { UnsavedNotes } from './notes.tsx';
import { useNow } from './now.ts';
import { photoFile, VeilButton } from './photo.tsx';
import { historyQuery, memberQuery, notesQuery } from './queries.ts';
import { whichOf, type Entry, type Wanted } from './queue-queries.ts';
import { Recent, useOutcomeText } from './recent.tsx';
import { ReasonPanel } from './reason-panel.tsx';
import { afterChange, isBanned, wantsMore, type Unit, type Work, type WorkChange } from './review.ts';
import { UnitActions, UnitView } from './unit-view.tsx';
import { useVeil } from './veil.ts';

const nothing: Work = { units: [], isDry: false };

/** Claims entries ahead of the person, and gives back what is not decided when the page is left. */
function useWork(wanted: Wanted) {
  const { kind, site, flagged, waited } = wanted;
  const api = useApi();
  const { id: self } = usePerson();
  const [work, dispatch] = useReducer<Work, [WorkChange]>(afterChange, nothing);
  const claimed = useRef(new Set<number>());
  const isLeft = useRef(false);
  const release = (id: number) =>
    void api.POST('/staff/queue/release', { body: { kind, id: String(id) } }).catch(() => undefined);

  const take = async (which: { readonly id: string } | ReturnType<typeof whichOf>) => {
    const { entry } = await dataOf(api.POST('/staff/queue/claim', { body: { kind, ...which } }));
    if (entry) claimed.current.add(entry.id);
    if (entry && isLeft.current) release(entry.id);
    return entry;
  };
  const held = useRef<number[]>(undefined);
  /** The next entry: first those that this account has already, such as after a reload. */
  const next = async () => {
    const { claims } = held.current ? { claims: [] } : await dataOf(api.GET('/staff/queue/summary'));
    const own = claims.filter(
      (claim) =>
        claim.kind === kind && claim.staff_id === self && (site === undefined || claim.siteid === site),
    );
    held.current ??= flagged || waited ? [] : own.map(({ id }) => id);
    for (let id = held.current.shift(); id !== undefined; id = held.current.shift()) {
      const entry = await take({ id: String(id) }).catch(() => null);
      if (entry) return entry;
    }
    return take(whichOf(wanted));
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: next,
    onSuccess: (entry) => dispatch(entry ? { type: 'claimed', entry } : { type: 'dry', isDry: true }),
  });
  const again = useMutation({
    mutationFn: (id: number) => take({ id: String(id) }),
    onSuccess: (entry) => entry && dispatch({ type: 'returned', entry }),
    onError: (_refused, id) => dispatch({ type: 'left', entry: id }),
  });

  const wants = wantsMore(work) && !isPending && !error;
  useEffect(() => {
    if (wants) mutate();
  }, [wants, mutate]);

  useEffect(() => {
    isLeft.current = false;
    const all = claimed.current;
    return () => {
      isLeft.current = true;
      for (const id of all) release(id);
    };
    // Only when the page is left.
  }, []);

  return {
    work,
    dispatch,
    error,
    lost: again.error,
    isPending: isPending || again.isPending,
    /** Claims an entry, or extends the claim, and puts it first. */
    claim: (id: number) => again.mutate(id),
    lookAgain: () => {
      reset();
      dispatch({ type: 'dry', isDry: false });
    },
    /** Nothing of an entry is left to decide: the decision has ended its claim. */
    forget: (id: number) => claimed.current.delete(id),
  };
}

/** Loads what the next units show, so that each is there at once. */
function usePreloaded(units: readonly Unit[]): void {
  const api = useApi();
  const queries = useQueryClient();
  const coming = units.slice(0, 3);
  const names = coming.map(({ key }) => key).join();
  useEffect(() => {
    for (const { photo, entry } of coming) {
      if (photo) new Image().src = photoFile(photo, 'max1600');
      void queries.prefetchQuery(memberQuery(api, entry.id));
      void queries.prefetchInfiniteQuery(historyQuery(api, entry.id));
      void queries.prefetchInfiniteQuery(notesQuery(api, entry.id));
    }
    // `names` says which units they are.
  }, [names, api, queries]);
}

const checkMs = 5_000;

/** Whether the claim has ended; activity on the member extends it only before. */
function useIsOver(until: Entry['claimed_until']): boolean {
  const now = useNow(checkMs);
  return until !== undefined && new Date(until).getTime() <= now;
}

const reasonDraft = ({ key }: Unit) => `reason ${key}`;

/** Decides on one unit after another. What is typed stays with its unit, or its member. */
export function OneByOne(wanted: Wanted) {
  const { text } = useTexts();
  const { work, dispatch, error, lost, isPending, claim, lookAgain, forget } = useWork(wanted);
  const decisions = useDecisions((members) => members.forEach(claim));
  const removeBans = useRemoveBans();
  const { change: changeVeil } = useVeil();
  const { refusal } = useOutcomeText();
  const [rejected, setRejected] = useState<string>();
  const { end } = useDrafts();
  const [isZoomed, setIsZoomed] = useState(false);
  const [removesBans, setRemovesBans] = useState(false);
  const [hasKeys, setHasKeys] = useState(true);
  const { units } = work;
  const [unit] = units;
  usePreloaded(units);
  const isRejecting = unit !== undefined && rejected === unit.key;
  const isClaimOver = useIsOver(unit?.entry.claimed_until);

  const proceed = () => {
    setRejected(undefined);
    setIsZoomed(false);
    setRemovesBans(false);
  };
  const decide = (why?: Why) => {
    if (!unit) return;
    const isLast = !units.some(({ key, entry }) => key !== unit.key && entry.id === unit.entry.id);
    if (isLast) forget(unit.entry.id);
    decisions.decide([unit], why, removesBans);
    end(reasonDraft(unit));
    dispatch({ type: 'decided', key: unit.key });
    proceed();
  };
  const skip = () => {
    if (unit) dispatch({ type: 'left', entry: unit.entry.id });
    proceed();
  };
  const undo = () => {
    const latest = decisions.log.find((one) => canUndo(one, Date.now()));
    if (latest) decisions.undo(latest);
  };
  const reject = () => setRejected(unit?.key);
  const zoom = () => setIsZoomed((was) => !was);
  const always = { u: undo, b: changeVeil };
  const onUnit = { a: () => decide(), r: reject, s: skip, z: zoom };
  useKeys(hasKeys ? { ...always, ...(unit && !isRejecting && onUnit) } : {});

  return (
    <Stack>
      <Group justify="space-between">
        <KeysSwitch list={text('service.keys.list')} isOn={hasKeys} onChange={setHasKeys} />
        <VeilButton />
      </Group>
      {error && <Problem error={error} retry={lookAgain} />}
      {lost && (
        <Alert color="red" role="alert">
          {refusal(lost)}
        </Alert>
      )}
      {unit && (
        <>
          {isClaimOver && (
            <Alert color="yellow" role="alert" title={text('service.claimOver')}>
              <Group>
                <Button size="compact-sm" onClick={() => claim(unit.entry.id)}>
                  {text('service.claimAgain')}
                </Button>
                <Button size="compact-sm" variant="default" onClick={skip}>
                  {text('service.skip')}
                </Button>
              </Group>
            </Alert>
          )}
          {isRejecting ? (
            <ReasonPanel
              kind={unit.kind}
              sites={[unit.entry.siteid]}
              key={unit.key}
              draft={reasonDraft(unit)}
              onChosen={decide}
              onCancel={() => setRejected(undefined)}
              hasFacts
            />
          ) : (
            <UnitActions onApprove={() => decide()} onReject={reject} onSkip={skip} />
          )}
          {isBanned(unit) && !isRejecting && (
            <Checkbox
              label={removeBans.label}
              checked={removesBans}
              onChange={(event) => setRemovesBans(event.currentTarget.checked)}
            />
          )}
          <UnitView unit={unit} isZoomed={isZoomed} onZoom={zoom} />
        </>
      )}
      {!unit && isPending && <Skeleton h={320} />}
      {!unit && !isPending && work.isDry && (
        <Group>
          <Text role="status">{text('service.queue.done')}</Text>
          <Button variant="default" onClick={lookAgain}>
            {text('service.queue.lookAgain')}
          </Button>
        </Group>
      )}
      <UnsavedNotes shown={unit?.entry.id} />
      <Recent decisions={decisions} />
    </Stack>
  );
}
