import type { readViewer } from '@covalence/contract/internal/profile-api';
import type { z } from 'zod';

/** How a viewer stands towards another member, as profile tells it. */
export type Relation = z.infer<typeof readViewer.output>['relations'][number];

/** A kind of relation that a search can leave out. */
export const exclusionKinds = ['blocks', 'declines', 'likes', 'passes'] as const;

/** One of them. */
export type ExclusionKind = (typeof exclusionKinds)[number];

/** A relation in short: the other, the pair's version, what holds (`bits`), and when the pass ends in ms, 0 without one. */
export type Entry = readonly [other: number, version: number, holds: number, until: number];

/** The lists that are kept: `all` is what a search leaves out where nothing else is said. */
export const listNames = ['all', 'blocked_by', ...exclusionKinds] as const;

/** One of them. */
export type ListName = (typeof listNames)[number];

const bits = { blocked_by: 1, blocks: 2, declines: 4, likes: 8 } as const;

const isStanding = (name: string): name is keyof typeof bits => name in bits;

/** The short form of a relation. */
export function entryOf(relation: Relation): Entry {
  const { other, version, passed_until: until } = relation;
  const names = Object.keys(bits).filter(isStanding);
  const holds = names.reduce((sum, name) => (relation[name] ? sum | bits[name] : sum), 0);
  return [other, version, holds, until === null ? 0 : Date.parse(until)];
}

/** Whether the member of an entry belongs to a list at a time. Being blocked by the other excludes in every search. */
export function isListed([, , holds, until]: Entry, list: ListName, now: number): boolean {
  if (list === 'passes') return until > now;
  if (list === 'all') return holds !== 0 || until > now;
  return (holds & bits[list]) !== 0;
}

/** The lists that a search with these exclusions leaves out. */
export function listsFor(kinds: readonly ExclusionKind[]): ListName[] {
  return exclusionKinds.every((kind) => kinds.includes(kind)) ? ['all'] : ['blocked_by', ...kinds];
}
