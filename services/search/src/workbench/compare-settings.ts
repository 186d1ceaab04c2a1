import type { SearchContext } from '../context.ts';
import type { IndexMapping } from '../index/mapping.ts';
import type { Viewer } from '../relations/viewer.ts';
import type { RelevanceSettings } from '../relevance/relevance-settings.ts';
import type { JudgmentSet } from './judgment-set.ts';
import { createWorkbenchIndex } from './workbench-index.ts';
import type { Quality } from './metrics.ts';
import { judge, type Trial } from './run-judgments.ts';

/** Settings of a search and the mapping of its index. */
export interface Variant {
  readonly settings: RelevanceSettings;
  readonly mapping: IndexMapping;
}

/** How one search did with each variant, in the order of the variants. */
export interface Judged {
  readonly name: string;
  readonly qualities: readonly Quality[];
}

/** A member of the set as profile would know them. */
const viewersIn = (members: NonNullable<JudgmentSet['members']>) => {
  const byId = new Map(members.map((one) => [one.id, one]));
  return (id: number): Promise<Viewer> => {
    const member = byId.get(id);
    if (!member) return Promise.reject(new Error('not among the members of the set'));
    return Promise.resolve({
      member,
      position: member.position,
      platinum: true,
      agefrom: null,
      ageto: null,
      locale: 'en_US',
    });
  };
};

/** Runs the searches of a set with one variant. */
type Run = (trial: Trial) => Promise<Quality[]>;

async function inOwnIndex(
  members: NonNullable<JudgmentSet['members']>,
  { settings, mapping }: Variant,
  now: Date,
  context: SearchContext,
  run: Run,
): Promise<Quality[]> {
  const index = await createWorkbenchIndex(members, mapping, context);
  try {
    return await run({ members: index.members, settings, now, viewerOf: viewersIn(members) });
  } finally {
    await index.close();
  }
}

async function inLiveIndex(
  { settings, mapping }: Variant,
  now: Date,
  context: SearchContext,
  run: Run,
): Promise<Quality[]> {
  if (mapping.fingerprint !== context.mapping.fingerprint) {
    throw new Error('another mapping can only be tried with a set that brings its own members');
  }
  const viewerOf = (id: number) => context.profile.readViewer({ id });
  return run({ members: context.members, settings, now, viewerOf });
}

/** Runs every search of a set with each variant, one after the other. Interrupted, it leaves no index of its own. */
export async function compareVariants(
  set: JudgmentSet,
  variants: readonly Variant[],
  context: SearchContext,
  interrupted?: AbortSignal,
): Promise<Judged[]> {
  const now = set.now ? new Date(set.now) : context.clock();
  const run: Run = async (trial) => {
    const qualities: Quality[] = [];
    for (const search of set.searches) {
      if (interrupted?.aborted) throw new Error('interrupted: nothing is left of what the lab had begun');
      qualities.push(await judge(search, trial, context));
    }
    return qualities;
  };
  const columns: Quality[][] = [];
  for (const variant of variants) {
    columns.push(
      set.members
        ? await inOwnIndex(set.members, variant, now, context, run)
        : await inLiveIndex(variant, now, context, run),
    );
  }
  return set.searches.map(({ name }, row) => ({
    name,
    qualities: columns.flatMap((column) => column[row] ?? []),
  }));
}
