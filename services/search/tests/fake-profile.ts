import { deactivated } from '@covalence/contract/failure';
import {
  exportProjections,
  readProjections,
  readViewer,
  renderRecords,
} from '@covalence/contract/peers/profile-for-search-api';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { serviceEndpoint, type Routes } from '@covalence/http/endpoint';
import { createServiceApp } from '@covalence/http/mount';
import { createServiceGate } from '@covalence/http/service-gate';
import type { Relation } from '../src/criteria/relations.ts';
import { listen } from '@covalence/runtime/lifecycle';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { testPublicKeys } from '@covalence/testing/service-tokens';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { createServer } from 'node:http';
import type { z } from 'zod';

/** One side of a viewer's relation; `version` and end of the pass have defaults. */
export type PlainRelation = Partial<Omit<Relation, 'other'>> & Pick<Relation, 'other'>;

/** A viewer's data from profile, apart from their projection. */
type ViewerFacts = Partial<
  Pick<z.infer<typeof readViewer.output>, 'agefrom' | 'ageto' | 'locale' | 'position'>
>;

/** A profile service with members in memory that implements the contract over HTTP. */
export interface ProfilePeer {
  readonly url: string;
  readonly members: Map<number, SearchProjection>;
  /** Relations by viewer. */
  readonly relations: Map<number, PlainRelation[]>;
  readonly platinum: Set<number>;
  /** Facts of viewers beside their projection. */
  readonly settings: Map<number, ViewerFacts>;
  readonly deactivated: Set<number>;
  /** Members whose records are not rendered, although the index has them. */
  readonly hidden: Set<number>;
  /** Members whose projection profile cannot make. */
  readonly broken: Set<number>;
  /** Members for whose projection profile answers 500. */
  readonly failing: Set<number>;
  /** The facts of viewers that the last call for them returned. */
  readonly read: Map<number, readonly unknown[]>;
  /** The number of calls by path. */
  readonly calls: Map<string, number>;
  close(): Promise<void>;
}

type State = Omit<ProfilePeer, 'url' | 'close'>;

const counted = (state: State, path: string) => state.calls.set(path, (state.calls.get(path) ?? 0) + 1);

const byIds = ({ members }: State, ids: readonly number[]) => ids.flatMap((id) => members.get(id) ?? []);

const projectionsOf = ({ broken }: State, members: readonly SearchProjection[]) => ({
  projections: members.filter(({ id }) => !broken.has(id)),
  broken: members.flatMap(({ id }) => (broken.has(id) ? [id] : [])),
});

const pageSize = 1_000;

const nothing = { blocked_by: false, blocks: false, declines: false, likes: false, passed_until: null };

/** A page of relations by version; versions in these tests differ, or are all on one page. */
function relationsOf(relations: readonly PlainRelation[], since: number | undefined) {
  if (since === undefined) return { relations: [] };
  const whole = relations.map((one): Relation => ({ version: 1, ...nothing, ...one }));
  const later = whole.filter(({ version }) => version >= since).sort((a, b) => a.version - b.version);
  const last = later[pageSize - 1];
  if (!last) return { relations: later };
  return { relations: later.filter(({ version }) => version <= last.version), next: last.version + 1 };
}

/** The facts that the answer about a viewer depends on. Tests replace these values, and do not change them. */
const basisOf = ({ members, relations, platinum, settings }: State, id: number) => [
  members.get(id),
  relations.get(id),
  platinum.has(id),
  settings.get(id),
];

type Known = NonNullable<z.infer<typeof renderRecords.input>['known']>;

/** Whether nothing of a viewer changed since it was read, and the search says truly what it read. */
function isCurrent(state: State, id: number, { version, platinum, since, pairs }: Known): boolean {
  const basis = basisOf(state, id);
  const read = state.read.get(id) ?? [];
  if (basis.some((value, index) => value !== read[index])) return false;
  const versions = (state.relations.get(id) ?? []).map((one) => one.version ?? 1);
  const sum = versions.filter((one) => one >= since).reduce((all, one) => all + one, 0);
  return version === state.members.get(id)?.version && platinum === state.platinum.has(id) && pairs === sum;
}

const viewers = serviceEndpoint(readViewer, (input, state: State) => {
  counted(state, 'viewers');
  const member = state.members.get(input.id);
  if (!member || state.deactivated.has(input.id)) return Promise.reject(deactivated());
  if (input.relations) state.read.set(input.id, basisOf(state, input.id));
  const page = relationsOf(state.relations.get(input.id) ?? [], input.relations?.since);
  const { position } = member;
  const rest = { position, agefrom: null, ageto: null, locale: 'en_US', ...state.settings.get(input.id) };
  return Promise.resolve({ member, platinum: state.platinum.has(input.id), ...page, ...rest });
});

const records = serviceEndpoint(renderRecords, (input, state: State) => {
  counted(state, input.for_staff ? 'records for staff' : 'records');
  const { viewer, known } = input;
  if (state.deactivated.has(viewer)) return Promise.reject(deactivated());
  if (known && !isCurrent(state, viewer, known)) return Promise.resolve({ records: [], current: false });
  // Profile would render the record of a stranger.
  const { related = input.ids } = input;
  const isForgotten = ({ other }: PlainRelation) => input.ids.includes(other) && !related.includes(other);
  if (state.relations.get(viewer)?.some(isForgotten))
    return Promise.reject(new Error('a relation is not named'));
  const shown = byIds(state, input.ids).filter(({ id, visible }) => visible && !state.hidden.has(id));
  const answers = input.fields.map((name) => ({ name }));
  const rest = { covalence: 'none', ...(answers.length > 0 && { answers }) };
  return Promise.resolve({
    records: shown.map(({ id, gender, siteid }) => ({
      id,
      gender,
      site: siteid,
      ...rest,
      ...(input.for_staff && { username: `member-${id}` }),
    })),
    current: true,
  });
});

const projections = serviceEndpoint(readProjections, (input, state: State) => {
  counted(state, 'projections');
  if (input.ids.some((id) => state.failing.has(id))) return Promise.reject(new TypeError('a defect'));
  return Promise.resolve(projectionsOf(state, byIds(state, input.ids)));
});

const exported = serviceEndpoint(exportProjections, (input, state: State) => {
  counted(state, 'export');
  const between = [...state.members.values()]
    .filter(({ id }) => id > input.after && id < input.before)
    .sort((a, b) => (input.descending ? b.id - a.id : a.id - b.id));
  return Promise.resolve(projectionsOf(state, between.slice(0, input.limit)));
});

const routes: Routes<State> = {
  'POST /internal/viewers': viewers,
  'POST /internal/records': records,
  'POST /internal/projections': projections,
  'POST /internal/projections/export': exported,
};

/** Starts the peer with these members. */
export async function startProfilePeer(members: readonly SearchProjection[]): Promise<ProfilePeer> {
  const state: State = {
    members: new Map(members.map((one) => [one.id, one])),
    relations: new Map(),
    platinum: new Set(),
    settings: new Map(),
    deactivated: new Set(),
    hidden: new Set(),
    broken: new Set(),
    failing: new Set(),
    read: new Map(),
    calls: new Map(),
  };
  const { bearer } = await createTestTokens();
  const app = createServiceApp(routes, state, {
    logger: createLogger('profile', 'error'),
    metrics: createMetrics('profile'),
    bearer,
    services: createServiceGate('profile', testPublicKeys, createLogger('profile', 'silent')),
  });
  const server = createServer(app);
  const port = await listen(server, 0, '127.0.0.1');
  return {
    ...state,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
