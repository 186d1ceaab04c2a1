import { conflicting, invalidParts, notFound, unavailable } from '@covalence/contract/failure';
import { unchecked } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import type { SecurityLog } from '@covalence/runtime/security-events';
import { z } from 'zod';
import { stemmers } from '../analysis/analysis.ts';
import { relevanceSchema } from '../relevance/relevance-settings.ts';
import type { SearchesContext } from '../searches/searches.ts';
import { checkSettings } from '../settings/read-settings.ts';
import type { SettingsChange } from '../settings/search-settings.ts';
import { InvalidSettings } from './invalid-settings.ts';
import {
  NoIndex,
  NotNewest,
  NoVersion,
  publishSettings,
  rollBackSettings,
  type Published,
} from './publish-settings.ts';

/** The dependencies of staff calls about settings. */
export interface StaffSettingsContext extends SearchesContext {
  readonly security: SecurityLog;
}

/** A version, as a number or as the text of a query. */
const version = z.union([
  z.int().min(0).max(999_999_999),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

const sampleVersion = z.int().meta({ examples: [3] });

/** Why something is done. */
export const note = z
  .string()
  .max(200)
  .default('')
  .meta({ description: 'Why, for the list.', examples: ['pets'] });

/** The version that a change was made from. */
export const after = version.meta({
  type: 'integer',
  description: 'The newest of `versions` when they were read, 0 without any; 409 when there is a newer one.',
});

/** Synonyms, stemmers and protected words by language in an answer. */
export const shownLanguages = z
  .record(
    z.string(),
    z
      .object({
        synonyms: z.array(z.string()).meta({ examples: [['dog, puppy']] }),
        stemmer: z
          .enum(stemmers)
          .optional()
          .meta({ examples: ['English'] }),
        protected: z.array(z.string()).meta({ examples: [['gaming']] }),
      })
      .meta({ id: 'SearchLanguage' }),
  )
  .meta({ examples: [{ en: { synonyms: ['dog, puppy'], protected: [] } }] });

const relevanceId = 'SearchRelevance';

/** Settings of the ranking. */
export const exampleRelevance = {
  age_tolerance_years: 2,
  online_minutes: 10,
  location: { full_miles: 25, zero_miles: 500 },
  range_reach: { height: 15 },
  range_reach_share: 0.1,
  text: { fuzziness: 'AUTO:5,8', prefix_length: 1, max_expansions: 50 },
  weights: { smoking: 6 },
  among_equals: { weights: { activity: 4 }, active_days: 60, full_answers: 30, new_days: 14 },
  discover: false,
  usage_sample: 0,
  discover_left_out: 0.2,
  sites: { 2: { weights: { smoking: 2 } } },
};

/** The settings of the ranking in an answer. */
export const shownRelevance = relevanceSchema.meta({ id: relevanceId, examples: [exampleRelevance] });

const settingsRef = (id: string) => ({ $ref: `#/components/schemas/${id}` });

/** Settings in a request, checked by `checkedChange` because problems are named by path. */
export const settingsParameters = {
  relevance: unchecked({
    anyOf: [settingsRef(relevanceId), { type: 'null' }],
    description: 'How results are ranked; null for those of `RELEVANCE_FILE`. Left out: as in force.',
  }),
  languages: unchecked({
    type: 'object',
    additionalProperties: settingsRef('SearchLanguage'),
    description: 'Synonyms, stemmers and protected words by language. Left out: as in force.',
  }),
};

/** Checks settings of a request, which are below `prefix`; throws 403 with the problems of each part. */
export function checkedChange(
  { relevance, languages }: { readonly relevance?: unknown; readonly languages?: unknown },
  prefix = '',
): SettingsChange {
  const checked = checkSettings({
    ...(relevance !== undefined && { relevance }),
    ...(languages !== undefined && { languages }),
  });
  if ('change' in checked) return checked.change;
  throw invalidParts(checked.problems.map(({ path, problem }) => ({ path: prefix + path, problem })));
}

/** The answer to a failed publication, or to a failed trial of what is to be published. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof NotNewest) return conflicting();
  if (error instanceof NoVersion) return notFound();
  if (error instanceof NoIndex) return unavailable(error);
  return error instanceof InvalidSettings ? invalidParts(error.problems) : error;
}

/** A rebuild takes minutes, so it is left to the command line. */
const leaveRebuild = (path: string, command: string) => () => {
  const problem = `needs an index with other stems, which takes minutes: run \`covalence search-settings ${command}\``;
  throw new InvalidSettings([{ path, problem }]);
};

/** The search team of all sites, which share the settings. */
export const everySite = { roles: ['search'], site: 'every' } as const;

/** GET /staff/search/settings: a version of what is published, and the list of versions. */
export const showSettings = endpoint({
  access: 'staff',
  staff: everySite,
  operationId: 'getStaffSearchSettings',
  summary: 'Get the search settings',
  description:
    'Synonyms, stemmers and protected words by language, and how results are ranked: the version in force, or an older one that is kept. In force is the newest, of those that this release understands.',
  answer: 'The version, and the list of those that are kept, newest first.',
  statuses: [404],
  input: z.object({
    version: version.optional().meta({
      type: 'integer',
      description: 'The version, by default the one in force; 0 is the state before any version.',
    }),
  }),
  output: z
    .object({
      version: sampleVersion,
      languages: shownLanguages,
      relevance: shownRelevance
        .nullable()
        .meta({ description: 'How results are ranked; null: as `file` says.', examples: [null] }),
      file: shownRelevance.meta({ description: 'The settings of `RELEVANCE_FILE`.' }),
      versions: z.array(
        z
          .object({
            version: sampleVersion,
            at: z.iso.datetime().meta({ examples: ['2026-03-01T12:00:00.000Z'] }),
            note: z.string().meta({ examples: ['pets'] }),
            of: z
              .int()
              .nullable()
              .meta({ description: 'The version that a rollback repeats.', examples: [null] }),
            by: z.uuid().nullable().meta({
              description: 'The staff account that published it; null from the command line.',
            }),
          })
          .meta({ id: 'StaffSearchVersion' }),
      ),
    })
    .meta({ id: 'StaffSearchSettings' }),
  async handler({ input }, { settings: { store, active } }: StaffSettingsContext) {
    // An older release may not understand the newest.
    const { version = (await active.refresh()).version } = input;
    const [content, versions] = await Promise.all([store.read(version), store.list()]);
    if (!content) throw notFound();
    return {
      version,
      ...content,
      file: active.ofFile,
      versions: versions.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
    };
  },
});

const published = z
  .object({
    version: sampleVersion.meta({ description: 'The version that is in force now.' }),
    ended: z
      .string()
      .nullable()
      .meta({
        description: 'The experiment that this ends, because it compares with the version before.',
        examples: [null],
      }),
  })
  .meta({ id: 'PublishedSearchSettings' });

const within = 'Every process of search follows within seconds.';

/** Records and answers a publication by a staff account. */
async function answerOf(
  publication: Promise<Published>,
  reason: 'search_settings_published' | 'search_settings_rolled_back',
  staff: string,
  { security, usage }: StaffSettingsContext,
) {
  const { version } = await publication.catch((error: unknown) => {
    throw refusalOf(error);
  });
  security.record('staff_decision', { staff, reason, version });
  return { version, ended: (await usage.experiments.running())?.name ?? null };
}

/** POST /staff/search/settings: publishes a version. */
export const publishStaffSettings = endpoint({
  access: 'staff',
  staff: everySite,
  operationId: 'publishStaffSearchSettings',
  summary: 'Publish search settings',
  description: `Puts a new version in force. ${within} \`problems\` of a 403 names the parts that are not valid. Other stems or protected words need another index, which takes minutes: they are refused with the command to run. A language with more than 1,000 rules is for the command line too. The call is recorded.`,
  answer: 'The new version.',
  example: {
    request: { after: 3, note: 'pets', languages: { en: { synonyms: ['dog, puppy'], protected: [] } } },
  },
  statuses: [409],
  input: z.strictObject({
    after,
    note,
    ...settingsParameters,
  }),
  output: published,
  async handler({ input: { after, note, ...given }, caller }, context: StaffSettingsContext) {
    const content = checkedChange(given);
    const onRebuild = leaveRebuild('languages', 'publish <file>');
    const by = caller.memberId;
    const publishing = publishSettings({ content, note, of: null, by, after, onRebuild }, context);
    return answerOf(publishing, 'search_settings_published', by, context);
  },
});

/** POST /staff/search/settings/rollback: puts an older version in force again. */
export const rollBackStaffSettings = endpoint({
  access: 'staff',
  staff: everySite,
  operationId: 'rollBackStaffSearchSettings',
  summary: 'Roll search settings back',
  description: `Publishes the content of an older version again, as a new version. ${within} Where the index lacks its stems, it is refused with the command to run. 409 when somebody has published since \`after\`. The call is recorded.`,
  answer: 'The new version.',
  example: { request: { after: 3, version: 2, note: 'too many dogs' } },
  statuses: [404, 409],
  input: z.strictObject({
    version: version.meta({
      type: 'integer',
      description: 'The version to repeat; 0 is the state before any version.',
    }),
    after,
    note,
  }),
  output: published,
  async handler({ input: { version, after, note }, caller }, context: StaffSettingsContext) {
    const onRebuild = leaveRebuild('version', `rollback ${version}`);
    const by = caller.memberId;
    const publishing = rollBackSettings(version, context, { note, by, after, onRebuild });
    return answerOf(publishing, 'search_settings_rolled_back', by, context);
  },
});
