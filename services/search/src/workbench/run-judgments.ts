import { failCodes } from '@covalence/contract/failure-codes';
import { failureCode } from '@covalence/contract/failure-codes';
import type { Position } from '@covalence/contract/position';
import { errorText } from '@covalence/runtime/error-text';
import type { SearchContext } from '../context.ts';
import { parseSearch } from '../criteria/parse-search.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { Viewer } from '../relations/viewer.ts';
import { buildSearch } from '../relevance/build-search.ts';
import { idOf } from '../relevance/read-hits.ts';
import { siteRelevance, type RelevanceSettings } from '../relevance/relevance-settings.ts';
import { createPostalCodeLocator } from '../searches/postal-codes.ts';
import { searcherOf } from '../criteria/searcher.ts';
import { worldPlusSites } from '../searches/run-search.ts';
import type { JudgedSearch } from './judgment-set.ts';
import { measure, type Quality } from './metrics.ts';

/** What judged searches run with. */
export interface Trial {
  readonly members: Pick<MemberIndex, 'search' | 'centroidOf'>;
  readonly settings: RelevanceSettings;
  readonly now: Date;
  /** Who a member is that searches. */
  readonly viewerOf: (member: number) => Promise<Viewer>;
}

/** Results that a judged search looks at. */
const looked = 100;

/** A search that would be refused, with what its codes mean. */
function refused(name: string, codes: readonly number[]): Error {
  const texts = codes.map((code) => `${code} (${failureCode(code)?.meaning})`);
  return new Error(`search '${name}' fails: ${texts.join(', ')}`);
}

/** Where a judged search measures from. Throws for a postal code that nobody knows (31006), as a search of a member is refused. */
async function originOf(
  name: string,
  { criteria }: ReturnType<typeof parseSearch>,
  viewer: Viewer,
  members: Trial['members'],
): Promise<Position | null> {
  const of = criteria.find((query) => query.form === 'geolocation')?.of ?? { kind: 'self' };
  if (of.kind === 'self') return viewer.position;
  if (of.kind === 'point') return of.position;
  const place = await createPostalCodeLocator(members).find(of.zip, of.country);
  if (!place) throw refused(name, [failCodes.locationInvalid]);
  return place;
}

/** Runs one judged search as its member, nobody left out and nothing rendered, and measures the results. */
export async function judge(
  { name, member, criteria, sortby, grades }: JudgedSearch,
  { members, settings, now, viewerOf }: Trial,
  context: Pick<SearchContext, 'sites'>,
): Promise<Quality> {
  const viewer = await viewerOf(member).catch((error: unknown) => {
    const why = errorText(error);
    throw new Error(`search '${name}': member ${member} cannot search: ${why}`, { cause: error });
  });
  const parsed = parseSearch(criteria, { ...searcherOf(viewer, context), platinum: true });
  if (parsed.failcodes.length) throw refused(name, parsed.failcodes);
  const model = {
    criteria: parsed.criteria,
    viewer: viewer.member,
    worldPlusSites: worldPlusSites(viewer.member.siteid, context),
    excluded: [],
    origin: await originOf(name, parsed, viewer, members),
    postalCountries: parsed.postalCountries,
    sortby,
    page: 1,
    pagesize: looked,
  };
  const { request } = buildSearch(model, siteRelevance(settings, viewer.member.siteid), now);
  const { hits } = await members.search(request);
  const byId = new Map(Object.entries(grades).map(([id, grade]) => [Number(id), grade]));
  return measure(hits.map(idOf), byId);
}
