import { criterionByName } from '@covalence/contract/catalogue/criteria';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { chunks } from '@covalence/runtime/chunks';
import { createAlertPercolator } from '@covalence/search/alerts/alert-percolator';
import { factsOf } from '@covalence/search/predicates/member-facts';
import { memberDocument } from '@covalence/search/index/member-document';
import { readRelevance } from '@covalence/search/relevance/relevance-settings';
import type { AlertingSearch } from '@covalence/search/saved/saved-search-store';
import { compileSettings, noContent, ofFile } from '@covalence/search/settings/search-settings';
import { sitesIn } from '@covalence/stack/services/service-environment';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { measurement, type Measurement } from './measurement.ts';
import { startSearchSystem } from './search-system.ts';

/** Saved searches with alerts, and the processor time of an updated member that is wanted with so many, ms. */
const alerts = 100_000;
const wantedMs = 20;

/** Every tenth search asks for a word, and each for up to this many coded answers. */
const wordEvery = 10;
const words = ['hiking', 'jazz', 'cooking', 'sailing', 'garden', 'cinema', 'travel', 'coffee'];
const mostCodes = 3;

const yearOf = ({ date_of_birth: date }: SearchProjection) => Number(date.slice(0, 4));

/** The search of one member for the answers of another: their age, within 150 miles, and some of their codes. */
function searchOf(searcher: SearchProjection, liked: SearchProjection, number: number): AlertingSearch {
  const age = new Date().getFullYear() - yearOf(liked);
  const codes = Object.entries(liked.traits)
    .filter(([name]) => criterionByName(name)?.codes && criterionByName(name)?.tier === 'basic')
    .slice(number % 7, (number % 7) + (number % (mostCodes + 1)))
    .map(([name, value]) => [name, { values: [value].flat().map(String) }]);
  const word = words[number % words.length] ?? '';
  return {
    id: `search-${number}`,
    member: searcher.id,
    name: String(number),
    revision: 0,
    changedAt: number,
    notify: number % 2 ? 'live' : 'daily',
    controls: {},
    criteria: {
      age: { from: Math.max(18, age - 5), to: age + 5 },
      location: { within: 150 },
      ...(number % wordEvery === 0 && { keywords: { value: word } }),
      ...Object.fromEntries(codes),
    },
    alert: { searcher, center: null },
  };
}

/** Measures the matching of updated members with many alerts, in the process that would index them. */
export async function benchAlerts(): Promise<readonly Measurement[]> {
  const system = await startSearchSystem(0, say);
  try {
    const found = await system.members.find({}, { projection: { _id: 1 } }).toArray();
    const projections: SearchProjection[] = [];
    for (const ids of chunks(
      found.map(({ _id }) => _id),
      500,
    )) {
      projections.push(...(await system.peerOf('profile').readProjections({ ids })).projections);
    }
    const memberAt = (number: number): SearchProjection => {
      const member = projections[number % projections.length];
      if (!member) throw new Error('no members to make alerts of');
      return member;
    };
    const searches = Array.from({ length: alerts }, (_, number) =>
      searchOf(memberAt(number), memberAt(number * 7_919 + 13), number),
    );
    const store = {
      async *alertsSince() {
        yield* searches;
      },
    };
    const before = process.memoryUsage().heapUsed;
    const file = readRelevance(new URL('../services/search/settings/relevance.json', import.meta.url));
    const settings = compileSettings(0, noContent, ofFile(file));
    const percolator = createAlertPercolator({
      searches: store,
      active: { current: () => Promise.resolve(settings) },
      sites: sitesIn(process.env),
      clock: () => new Date(),
    });
    await percolator.refresh();
    say(
      `  ${percolator.size} alerts take ${Math.round((process.memoryUsage().heapUsed - before) / 2 ** 20)} MiB`,
    );
    const members = projections
      .flatMap((one) => factsOf(memberDocument(one).source) ?? [])
      .slice(0, effort.updates);
    let fitting = 0;
    const match = async () => {
      for (const facts of members)
        fitting += (await percolator.newlyFitting(String(facts.id), facts, undefined)).length;
    };
    await match();
    fitting = 0;
    const start = process.cpuUsage();
    await match();
    const { user, system: kernel } = process.cpuUsage(start);
    const each = (user + kernel) / 1_000 / members.length;
    say(`  an update of a member fits ${(fitting / members.length).toFixed(1)} alerts`);
    return [
      measurement('processor time of an update with 100,000 alerts', 'ms', each, wantedMs, 'at most 20'),
    ];
  } finally {
    await system.stop();
  }
}
