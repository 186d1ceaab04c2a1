import { unavailable } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { indexState } from '../index/maintenance/index-state.ts';
import type { SearchesContext } from '../searches/searches.ts';

const name = z.string().meta({ examples: ['covalence-members-000002'] });
const count = z.int().meta({ examples: [2_000] });

/** GET /staff/search/index: the state of the index. */
export const showIndex = endpoint({
  access: 'staff',
  staff: { roles: ['search', 'operator'], site: 'every' },
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
        description: '`as configured`, or the action needed.',
        examples: ['as configured'],
      }),
      complete: z.boolean().meta({ description: 'Whether it has been filled.', examples: [true] }),
      documents: count,
      visible: count,
      waiting_events: z
        .int()
        .nullable()
        .meta({
          description: 'Changes not yet indexed; null while the broker is unavailable.',
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
      shadow: z
        .object({
          index: name,
          mapping_version: z.int().meta({ examples: [4] }),
          complete: z.boolean().meta({ description: 'Whether comparisons can search it.', examples: [true] }),
          expires: z.iso.datetime().nullable(),
        })
        .nullable()
        .meta({ description: 'The index of `covalence index shadow`, with which a mapping is tried.' }),
    })
    .meta({ id: 'StaffIndex' }),
  async handler(_call, { index }: SearchesContext) {
    const state = await indexState(index);
    if (!state) throw unavailable();
    const { waiting = null, ...rest } = state;
    return { ...rest, waiting_events: waiting };
  },
});
