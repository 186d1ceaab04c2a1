import { notFound, unavailable } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { indexState } from '../index/index-state.ts';
import type { SearchesContext } from '../searches/searches.ts';

const name = z.string().meta({ examples: ['covalence-members-000002'] });
const count = z.int().meta({ examples: [2_000] });

/** GET /staff/search/index: the state of the index. */
export const showIndex = endpoint({
  access: 'staff',
  staff: { roles: ['search', 'operator'], site: 'every' },
  tag: 'Staff',
  operationId: 'getStaffIndex',
  summary: 'Get the state of the search index',
  description: 'The first part of what `covalence index status` prints. Without an index it is 503.',
  answer: 'The state.',
  input: z.object({}),
  output: z
    .object({
      live: name.meta({ description: 'The index that is searched.' }),
      mapping_version: z.int().meta({ examples: [3] }),
      mapping: z.string().meta({
        description: '`as configured`, or what is to be done.',
        examples: ['as configured'],
      }),
      complete: z.boolean().meta({ description: 'Whether it has been filled.', examples: [true] }),
      documents: count,
      visible: count,
      waiting_events: z
        .int()
        .nullable()
        .meta({
          description: 'Changes that it lacks; null while the broker does not answer.',
          examples: [0],
        }),
      building: z
        .string()
        .nullable()
        .meta({ description: 'The index that a rebuild fills.', examples: [null] }),
      kept: name.nullable().meta({
        description: 'The index that a rollback returns to.',
        examples: ['covalence-members-000001'],
      }),
    })
    .meta({ id: 'StaffIndex' }),
  async handler(_call, { index }: SearchesContext) {
    const state = await indexState(index);
    if (!state) throw unavailable();
    const { waiting = null, ...rest } = state;
    return { ...rest, waiting_events: waiting };
  },
});

const languages = z.record(
  z.string(),
  z.object({
    synonyms: z.array(z.string()).meta({ examples: [['dog, puppy']] }),
    stemmer: z
      .string()
      .optional()
      .meta({ examples: ['English'] }),
    protected: z.array(z.string()).meta({ examples: [['gaming']] }),
  }),
);

/** GET /staff/search/analysis: synonyms, stemmers and protected words. */
export const showAnalysis = endpoint({
  access: 'staff',
  staff: { roles: ['search'], site: 'every' },
  tag: 'Staff',
  operationId: 'getStaffAnalysis',
  summary: 'Get the analysis of searched words',
  description:
    'Synonyms, stemmers and protected words by language: the version in force, or an older one that is kept. `covalence analysis publish` takes `version` and `languages` as a file.',
  answer: 'The version, and the list of those that are kept, newest first.',
  statuses: [404],
  input: z.object({
    version: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .optional()
      .meta({ description: 'By default the one in force; 0 is empty.' }),
  }),
  output: z
    .object({
      version: z.int().meta({ examples: [1] }),
      languages: languages.meta({
        examples: [{ en: { synonyms: ['dog, puppy'], protected: [] } }],
      }),
      versions: z.array(
        z
          .object({
            version: z.int().meta({ examples: [1] }),
            at: z.iso.datetime().meta({ examples: ['2026-03-01T12:00:00.000Z'] }),
            note: z.string().meta({ examples: ['pets'] }),
            of: z
              .int()
              .nullable()
              .meta({ description: 'The version that a rollback repeats.', examples: [null] }),
          })
          .meta({ id: 'StaffAnalysisVersion' }),
      ),
    })
    .meta({ id: 'StaffAnalysis' }),
  async handler({ input }, { analysis: { store, active } }: SearchesContext) {
    const { version = (await active.refresh()).version } = input;
    const [content, versions] = await Promise.all([store.read(version), store.list()]);
    if (!content) throw notFound();
    return {
      version,
      languages: content.languages,
      versions: versions.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
    };
  },
});
