import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import { exportProjections } from '@covalence/contract/peers/profile-for-search-api';
import type { SearchProjection } from '@covalence/contract/search-projection';
import type { Peer } from '@covalence/http/peer';
import * as fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { copyMembers } from '../../src/index/copy-members.ts';
import type { MemberIndex } from '../../src/index/member-index.ts';
import { person } from '../person.ts';

type ProfilePages = Pick<Peer<'profile'>, 'exportProjections'>;

const inputSchema = z.object({ after: z.int(), before: z.int(), descending: z.boolean(), limit: z.int() });

/** A profile whose calls take the turns of the event loop in `delays`; it returns no projection of `broken` members. */
function profileOf(
  ids: readonly number[],
  pageSize: number,
  delays: readonly number[],
  broken: readonly number[] = [],
) {
  const all = ids.map((id) => person(id, 'Male'));
  let calls = 0;
  const peer: ProfilePages = {
    async exportProjections(body) {
      const { after, before, descending, limit } = inputSchema.parse(body);
      const delay = delays[calls % Math.max(1, delays.length)] ?? 0;
      calls += 1;
      for (let turns = 0; turns < delay; turns += 1) await turn();
      const between = all.filter(({ id }) => id > after && id < before);
      const ordered = between.sort((one, other) => (descending ? other.id - one.id : one.id - other.id));
      const page = ordered.slice(0, Math.min(limit, pageSize));
      return {
        projections: page.filter(({ id }) => !broken.includes(id)),
        broken: page.flatMap(({ id }) => (broken.includes(id) ? [id] : [])),
      };
    },
  };
  return { peer, calls: () => calls };
}

/** An index that records the ids written to it. */
function indexOf(fail: (written: number) => boolean = () => false) {
  const written: number[] = [];
  const write: MemberIndex['write'] = async (documents) => {
    await turn();
    if (fail(written.length)) throw new Error('refused');
    written.push(...documents.map(({ id }) => id));
  };
  return { members: { write } as MemberIndex, written };
}

const renewLease = () => Promise.resolve();

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

const inOrder = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

const people = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 60, size: 'max' }).map(inOrder);
const middles = fc.integer({ min: 0, max: 600 });
const pageSizes = fc.integer({ min: 1, max: 12 });
const delays = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 12, size: 'max' });

const abort = (copied: number) => {
  if (copied === 60) throw new Error('aborted');
};

/** A profile with one page, which contains member 2. */
const pageOf = (projections: unknown[]): ProfilePages => ({
  exportProjections: (body) => {
    const { after, before } = inputSchema.parse(body);
    const page = { projections: after < 2 && before > 2 ? projections : [], broken: [] };
    return Promise.resolve(exportProjections.output.parse(page));
  },
});

describe('a copy of all members', () => {
  it('contains each member once, whatever the middle, and reports broken members', async () => {
    const faults = fc.uniqueArray(fc.nat(60), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(
        people,
        middles,
        pageSizes,
        delays,
        faults,
        async (ids, middle, pageSize, after, places) => {
          const { members, written } = indexOf();
          const broken = inOrder(places.flatMap((place) => ids[place] ?? []));
          const { peer: profile } = profileOf(ids, pageSize, after, broken);
          const done = await copyMembers({ profile, members, to: 'index', middle, renewLease });
          expect(inOrder(done.broken)).toEqual(broken);
          expect(done.copied).toBe(ids.length - broken.length);
          expect(inOrder([...written, ...broken])).toEqual(ids);
        },
      ),
      fuzzing(),
    );
  });

  it('fails when profile cannot make many projections', async () => {
    const { members } = indexOf();
    const { peer: profile } = profileOf(hundred, 10, [], hundred.slice(40, 51));
    await expect(copyMembers({ profile, members, to: 'index', middle: 50, renewLease })).rejects.toThrow(
      /^profile cannot render the projection of 11 members, first \d+; its log says why$/,
    );
  });

  it('reads in both directions at the same time, each id beyond those before', async () => {
    const { members, written } = indexOf();
    const { peer: profile } = profileOf(hundred, 10, [2]);
    await copyMembers({ profile, members, to: 'index', middle: 50, renewLease });
    const [low, high] = [written.filter((id) => id <= 50), written.filter((id) => id > 50)];
    expect([low, high]).toEqual([hundred.slice(0, 50).toReversed(), hundred.slice(50)]);
    const place = (id: number) => written.indexOf(id);
    expect(Math.max(place(50), place(51))).toBeLessThan(Math.min(place(1), place(100)));
  });

  it('stops when a write or the progress callback fails, and leaves nothing running', async () => {
    const ids = Array.from({ length: 400 }, (_, index) => index + 1);
    const { peer: profile, calls } = profileOf(ids, 10, []);
    let writes = 0;
    const { members, written } = indexOf(() => (writes += 1) === 5);
    const copy = (onProgress?: (copied: number) => void) =>
      copyMembers({
        profile,
        members,
        to: 'index',
        middle: 200,
        renewLease,
        ...(onProgress && { onProgress }),
      });
    await expect(copy()).rejects.toThrow('refused');
    const before = [calls(), written.length];
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect([calls(), written.length]).toEqual(before);
    // The other direction stopped, too.
    expect(written.length).toBeLessThan(100);

    await expect(copy(abort)).rejects.toThrow('aborted');
  });

  it('rejects a page that violates the contract', async () => {
    const broken = { ...person(2, 'Male'), visible: 'yes' } as unknown;
    const { members } = indexOf();
    const copy = (projections: unknown[]) =>
      copyMembers({ profile: pageOf(projections), members, to: 'index', renewLease });
    await expect(copy([broken])).rejects.toThrow('visible');
    await expect(copy([{ unknown: true }])).rejects.toThrow('id');
    expect(await copy([person(2, 'Male') satisfies SearchProjection])).toEqual({ copied: 1, broken: [] });
  });
});
