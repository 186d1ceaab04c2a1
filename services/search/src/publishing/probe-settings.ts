import { criteria, type Criterion } from '@covalence/contract/catalogue/criteria';
import { InvalidSettings } from './invalid-settings.ts';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import type { QueryCriterion } from '../criteria/parse-forms.ts';
import { searchOf, type SearchInput, type Ranking } from '../searches/find-members.ts';
import type { SearchesContext } from '../searches/searches.ts';

/** Words that have many others near them. */
const words = 'love life walk wine hiking dancing reading traveling';

function queryOf(criterion: Criterion): QueryCriterion {
  if (criterion.form === 'geolocation')
    return { form: criterion.form, criterion, miles: null, of: { kind: 'self' } };
  if (criterion.form === 'range') {
    const [from, to] = criterion.bounds ?? [0, 1];
    return { form: criterion.form, criterion, from, to: (from + to) / 2 };
  }
  const value = criterion.text ? 'love' : String(criterion.codes?.[0] ?? '1');
  return { form: 'general', criterion, values: [criterion.name === 'keywords' ? words : value] };
}

/** A search that uses every setting. */
const asked: SearchInput = {
  criteria: criteria.map(queryOf),
  failcodes: [],
  postalCountries: [],
  excluded: [],
  explain: true,
  sortby: 'relevance',
  page: 1,
  pagesize: 1,
};

/** Nobody has this number. */
const nobody = 0;

/** Elasticsearch answers 429 also to a search that needs too much memory. */
const needsTooMuch = ({ message }: Error) => message.includes('circuit_breaking_exception');

/** The reason why Elasticsearch refuses a search; undefined for any other error. */
export function refusalReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ResponseError') return undefined;
  if (isUnavailableError(error) && !needsTooMuch(error)) return undefined;
  return error.message.replaceAll(/\s+/g, ' ').slice(0, 200);
}

/** Runs a search with settings in each language, and on each site that has its own. Throws InvalidSettings if Elasticsearch refuses it. */
export async function probeSettings(
  ranking: Ranking,
  languages: readonly string[],
  { index, sites, clock }: Pick<SearchesContext, 'index' | 'sites' | 'clock'>,
): Promise<void> {
  const own = (siteid: number) => String(siteid) in ranking.relevance.sites;
  const all = [...sites.values()];
  const general = all.find(({ siteid }) => !own(siteid)) ?? all[0];
  const [first = 'en', ...others] = languages;
  const tried = [general, ...all.filter(({ siteid }) => own(siteid) && siteid !== general?.siteid)];
  const probes = [
    ...tried.map((site) => ({ site, locale: first })),
    ...others.map((locale) => ({ site: general, locale })),
  ];
  for (const { site, locale } of probes) {
    if (!site) continue;
    const { siteid, group } = site;
    const member = { id: nobody, siteid, group, gender: 'Female', gender_preference: 'Male' } as const;
    const search = searchOf(asked, { member, locale }, { lat: 0, lon: 0 }, ranking, {
      sites,
      now: clock(),
    });
    try {
      await index.members.search(search.request);
    } catch (error) {
      const reason = refusalReason(error);
      if (reason === undefined) throw error;
      throw new InvalidSettings([
        { path: 'relevance', problem: `is refused by Elasticsearch on site ${siteid}: ${reason}` },
      ]);
    }
  }
}
