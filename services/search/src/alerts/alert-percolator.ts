import type { Sites } from '@covalence/contract/sites';
import type { Position } from '@covalence/contract/position';
import type { Clock } from '@covalence/runtime/clock';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseSearch, type ParsedSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import { numberOf } from '../index/draws.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { AlertSearcher } from '../saved/alert-choice.ts';
import type { AlertingSearch, SavedSearchStore } from '../saved/saved-search-store.ts';
import { worldPlusSites } from '../searches/find-members.ts';
import { postalPosition } from '../searches/search-center.ts';
import type { ActiveSettings } from '../settings/active-settings.ts';
import type { SearchSettings } from '../settings/search-settings.ts';
import {
  predicatesOf,
  candidateOf,
  type Predicate,
  type Candidate,
} from '../predicates/criterion-predicates.ts';
import type { MemberFacts } from '../predicates/member-facts.ts';

/** The alert of a saved search, ready to be matched with members. */
export interface Alert {
  readonly id: string;
  readonly member: number;
  /** The change of the search that it was made of. */
  readonly changedAt: number;
  readonly revision: number;
  readonly notify: 'live' | 'daily';
  readonly searcher: AlertSearcher;
  readonly worldPlusSites: readonly number[];
  /** The ages that the search asks for. */
  readonly ages: { readonly from: number; readonly to: number };
  readonly predicates: readonly Predicate[];
}

/** Dependencies of the percolator and of its alerts. */
interface PercolatorOptions {
  readonly searches: Pick<SavedSearchStore, 'alertsSince'>;
  readonly active: Pick<ActiveSettings, 'current'>;
  readonly sites: Sites;
  readonly clock: Clock;
}

/** Changes are read again from this far back, because the times come from the clocks of several processes. */
const overlapMs = 60_000;

/** Everything is read again after this time, and with other settings, which drops the searches that were deleted. */
const reloadMs = 3_600_000;

/** Alerts read between two turns of the event loop, and the time that matching may take of one, ms. */
const perTurn = { read: 250, ms: 10 };

/** Alerts matched between two looks at the clock. */
const perLook = 50;

/** Alerts that one update of a member can fit, so that no update floods the store: the others get no match from it. */
export const mostFitting = 1_000;

/** Years of age that share a bucket. */
const bandYears = 5;

const bandOf = (age: number) => Math.floor(age / bandYears);

const audienceKey = (gender: string, preference: string, band: number) => `${gender} ${preference} ${band}`;

/** The place of a postal code, which is that of another country after the searcher has moved there. */
function placeOf({ criteria }: ParsedSearch): Position | null {
  const of = criteria.find((query) => query.form === 'geolocation')?.of;
  return of?.kind === 'zip' ? postalPosition(of.zip, of.country) : null;
}

function compile(
  search: AlertingSearch,
  { analysis, relevance }: SearchSettings,
  { sites, clock }: PercolatorOptions,
): Alert | undefined {
  const { id, member, changedAt, revision, notify, criteria } = search;
  if (notify === 'never') return undefined;
  const { searcher, center } = search.alert;
  // A subscription that may end before the next reading asks for less, not for more.
  const readUntil = clock().getTime() + reloadMs;
  const platinum = searcher.platinum_until !== null && Date.parse(searcher.platinum_until) > readUntil;
  const { position } = searcher;
  const parsed = parseSearch(criteria, searcherOf({ member: searcher, platinum, position }, { sites }));
  const predicates = predicatesOf(parsed.criteria, {
    origin: placeOf(parsed) ?? center ?? position,
    postalCountries: parsed.postalCountries,
    rules: analysis.rules,
    typos: siteRelevance(relevance, searcher.siteid).text,
  });
  const ages = parsed.criteria.find(({ criterion }) => criterion.name === 'age');
  if (ages?.form !== 'range') return undefined;
  return {
    id,
    member,
    changedAt,
    revision,
    notify,
    searcher,
    ages,
    worldPlusSites: worldPlusSites(searcher.siteid, { sites }),
    predicates,
  };
}

const isInCommunity = ({ searcher, worldPlusSites: sites }: Alert, member: MemberFacts): boolean =>
  member.group === searcher.group || (member.world_plus && sites.includes(member.siteid));

const fits = (alert: Alert, candidate: Candidate): boolean =>
  alert.member !== candidate.facts.id &&
  isInCommunity(alert, candidate.facts) &&
  alert.predicates.every((predicate) => predicate(candidate));

/** Whether the searcher could have found the member before, whose genders may have been others. */
const hasFitted = (alert: Alert, former: Candidate): boolean =>
  former.facts.gender === alert.searcher.gender_preference &&
  former.facts.gender_preference === alert.searcher.gender &&
  fits(alert, former);

/**
 * The alerts of an audience, from one of them around to the one before it. Processes have different orders, so that an event which
 * is redelivered to another process may match others.
 */
function* around(audience: ReadonlyMap<string, Alert>, start: number): Generator<Alert> {
  let at = 0;
  for (const alert of audience.values()) if (at++ >= start) yield alert;
  at = 0;
  for (const alert of audience.values()) {
    if (at++ >= start) return;
    yield alert;
  }
}

/** Alerts by id, by whom they are about (genders and age), and by who is notified. */
function createBuckets() {
  const alerts = new Map<string, Alert>();
  const audiences = new Map<string, Map<string, Alert>>();
  const bySearcher = new Map<number, Map<string, Alert>>();
  const bucket = <Key>(of: Map<Key, Map<string, Alert>>, key: Key) => {
    const known = of.get(key) ?? new Map<string, Alert>();
    of.set(key, known);
    return known;
  };
  const bucketsOf = ({ member, searcher: { gender, gender_preference }, ages }: Alert) => {
    const buckets = [alerts, bucket(bySearcher, member)];
    for (let band = bandOf(ages.from); band <= bandOf(ages.to); band += 1) {
      buckets.push(bucket(audiences, audienceKey(gender_preference, gender, band)));
    }
    return buckets;
  };
  return {
    alerts,
    audiences,
    bySearcher,
    put: (alert: Alert) => bucketsOf(alert).forEach((bucket) => bucket.set(alert.id, alert)),
    drop(id: string) {
      const known = alerts.get(id);
      if (!known) return;
      bucketsOf(known).forEach((bucket) => bucket.delete(id));
      if (!bySearcher.get(known.member)?.size) bySearcher.delete(known.member);
    },
  };
}

/** Whether an alert is of this version of a search, which is read again for a minute. */
const isUnchanged = (known: Alert | undefined, { changedAt, revision, alert }: AlertingSearch): boolean =>
  known?.changedAt === changedAt &&
  known.revision === revision &&
  isDeepStrictEqual(known.searcher, alert.searcher);

/** The alerts of all saved searches, in the memory of a process: finds those that a member fits. */
export type AlertPercolator = ReturnType<typeof createAlertPercolator>;

/** Creates the percolator; it is empty until `refresh`. */
export function createAlertPercolator(options: PercolatorOptions) {
  const { searches, active, clock } = options;
  let buckets = createBuckets();
  let readAt = 0;
  let loadedAt = 0;
  let version: number | undefined;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const now = clock();
    const settings = await active.current();
    const age = now.getTime() - loadedAt;
    // A clock that was set back would hide changes.
    const isReload = age >= reloadMs || now.getTime() < readAt || settings.version !== version;
    const found = searches.alertsSince(isReload ? undefined : new Date(readAt - overlapMs));
    const updated = isReload ? createBuckets() : buckets;
    let count = 0;
    for await (const search of found) {
      if (!isUnchanged(updated.alerts.get(search.id), search)) {
        const alert = compile(search, settings, options);
        updated.drop(search.id);
        if (alert) updated.put(alert);
      }
      count += 1;
      if (count % perTurn.read === 0) await turn();
    }
    buckets = updated;
    readAt = now.getTime();
    if (isReload) [loadedAt, version] = [readAt, settings.version];
  };

  return {
    get size(): number {
      return buckets.alerts.size;
    },
    /** Reads what changed since the last time. Concurrent calls share one reading. */
    refresh: (): Promise<void> => (reading ??= read().finally(() => (reading = undefined))),
    /** Whether a searcher's alerts depend on other facts than these. */
    isOutdated: (member: number, searcher: AlertSearcher): boolean =>
      [...(buckets.bySearcher.get(member)?.values() ?? [])].some(
        (alert) => !isDeepStrictEqual(alert.searcher, searcher),
      ),
    /**
     * The alerts that a member fits now, and did not with the facts before, at the time before. Where more fit than are taken, the
     * event, a text, decides where to start, so that members with the same facts match different ones.
     */
    async newlyFitting(
      event: string,
      after: MemberFacts,
      before: MemberFacts | undefined,
      formerly = clock(),
    ): Promise<Alert[]> {
      const now = clock();
      const candidate = candidateOf(after, now);
      const former = before && candidateOf(before, formerly);
      const { gender, gender_preference: preference } = after;
      const audience = buckets.audiences.get(audienceKey(gender, preference, bandOf(candidate.age)));
      if (!audience) return [];
      const found: Alert[] = [];
      let [matched, began] = [0, performance.now()];
      for (const alert of around(audience, numberOf(event) % audience.size)) {
        if (fits(alert, candidate) && !(former && hasFitted(alert, former))) found.push(alert);
        if (found.length === mostFitting) break;
        matched += 1;
        if (matched % perLook || performance.now() - began < perTurn.ms) continue;
        await turn();
        began = performance.now();
      }
      return found;
    },
  };
}
