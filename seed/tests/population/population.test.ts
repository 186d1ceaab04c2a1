import { ageOn } from '@covalence/contract/age';
import { describe, expect, it } from '@jest/globals';
import { generatePopulation, type SeedMember } from '../../src/population/population.ts';

const now = new Date('2026-11-21T09:00:00Z');
const count = 2_000;
const members = [...generatePopulation({ count, seed: 7, now })];

const share = (is: (member: SeedMember) => boolean) => members.filter(is).length / members.length;
const text = (member: SeedMember, name: string) => String(member.fields[name] ?? '');
const distinct = (values: readonly string[]) => new Set(values).size;

describe('a population', () => {
  it('is deterministic for a seed', () => {
    expect([...generatePopulation({ count: 300, seed: 7, now })]).toEqual(members.slice(0, 300));
    const [, , other] = generatePopulation({ count: 3, seed: 8, now });
    expect(other?.fields).not.toEqual(members[2]?.fields);
  });

  it('is generated lazily', () => {
    const [first] = generatePopulation({ count: Number.MAX_SAFE_INTEGER, seed: 7, now });
    expect(first).toEqual(members[0]);
  });

  it('has unique usernames of letters and digits, addresses of reserved domains, and ids', () => {
    expect(distinct(members.map(({ username }) => username.toLowerCase()))).toBe(count);
    expect(distinct(members.map(({ email }) => email))).toBe(count);
    expect(distinct(members.map(({ external_id }) => external_id))).toBe(count);
    expect(members.filter(({ username }) => !/^[A-Za-z0-9]{3,100}$/.test(username))).toEqual([]);
    expect(members.filter(({ email }) => !/^[a-z0-9]+@example\.(com|org|net)$/.test(email))).toEqual([]);
  });

  it('respects the limits of texts and repeats no about_me', () => {
    const within = (name: string, min: number, max: number) =>
      members.filter((member) => text(member, name).length < min || text(member, name).length > max);
    expect(within('headline', 10, 75)).toEqual([]);
    expect(within('about_me', 100, 1_000)).toEqual([]);
    expect(distinct(members.map((member) => text(member, 'about_me')))).toBe(count);
  });

  it('is of age, with valid age ranges', () => {
    expect(members.filter((member) => ageOn(text(member, 'date_of_birth'), now) < 18)).toEqual([]);
    const ranges = members.map(({ fields, preferences }) => ({ fields, preferences }));
    expect(ranges.filter(({ fields }) => Number(fields['agefrom']) > Number(fields['ageto']))).toEqual([]);
    expect(ranges.filter(({ preferences }) => preferences.age.from < 18)).toEqual([]);
  });

  it('has plausible shares of sites, states and memberships', () => {
    expect(share(({ siteid }) => siteid === 1)).toBeCloseTo(0.6, 1);
    expect(share(({ siteid }) => siteid === 2)).toBeCloseTo(0.25, 1);
    expect(share(({ siteid }) => siteid === 3)).toBeCloseTo(0.15, 1);
    expect(share(({ fields }) => fields['country'] === 'US')).toBeCloseTo(0.7, 1);
    expect(share(({ userstatus }) => userstatus === 'new')).toBeGreaterThan(0.02);
    expect(share(({ userstatus }) => userstatus === 'new')).toBeLessThan(0.06);
    expect(share(({ userstatus }) => userstatus === 'rejected')).toBeLessThan(0.04);
    expect(share(({ platinum_until }) => platinum_until !== undefined)).toBeGreaterThan(0.12);
    expect(share(({ platinum_until }) => platinum_until !== undefined)).toBeLessThan(0.18);
    expect(share(({ portrait }) => portrait === undefined)).toBeGreaterThan(0.1);
    expect(share(({ portrait }) => portrait === undefined)).toBeLessThan(0.15);
    expect(share(({ searchable }) => !searchable)).toBeLessThan(0.06);
  });

  it('has no unreviewed member on a site with automatic review', () => {
    expect(members.filter(({ userstatus, siteid }) => userstatus === 'new' && siteid !== 2)).toEqual([]);
  });

  it('joined in the last three years, before the last visit', () => {
    const threeYears = 3 * 366 * 86_400_000;
    const odd = members.filter(({ joined, last_seen }) => {
      const [from, to] = [Date.parse(joined), Date.parse(last_seen)];
      return !(from <= to && to <= now.getTime() && from >= now.getTime() - threeYears);
    });
    expect(odd).toEqual([]);
    expect(
      members.filter(
        ({ platinum_until: until }) => until !== undefined && Date.parse(until) <= now.getTime(),
      ),
    ).toEqual([]);
  });
});

describe('the demo members', () => {
  it.each([1, 7, 4_711])('match each other with every seed (%s)', (seed) => {
    const [anna, ben] = generatePopulation({ count: 2, seed, now });
    expect([anna?.username, ben?.username]).toEqual(['anna', 'ben']);
    for (const member of [anna, ben]) {
      expect(member).toMatchObject({ siteid: 1, userstatus: 'approved', searchable: true });
      expect(member?.portrait).toBeDefined();
      expect(member?.fields).toMatchObject({ city: 'Chicago', country: 'US', latitude: expect.any(Number) });
    }
    expect(anna?.fields).toMatchObject({ gender: 'Female', gender_preference: 'Male' });
    expect(ben?.fields).toMatchObject({ gender: 'Male', gender_preference: 'Female' });
    expect(wants(anna, ben) && wants(ben, anna)).toBe(true);
  });
});

const wants = (seeker: SeedMember | undefined, other: SeedMember | undefined) => {
  const age = ageOn(String(other?.fields['date_of_birth']), now);
  return age >= Number(seeker?.fields['agefrom']) && age <= Number(seeker?.fields['ageto']);
};
