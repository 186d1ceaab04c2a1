import { describe, expect, it } from '@jest/globals';
import { createPerson } from '../../src/population/create-person.ts';
import type { Person } from '../../src/population/traits/person.ts';
import { schooling } from '../../src/population/traits/work.ts';

const now = new Date('2026-11-21T09:00:00Z');
const people = Array.from({ length: 5_000 }, (_, index) => createPerson(3, index, now));

const mean = (some: readonly Person[], value: (person: Person) => number) =>
  some.reduce((sum, person) => sum + value(person), 0) / some.length;
const share = (some: readonly Person[], is: (person: Person) => boolean) =>
  mean(some, (person) => Number(is(person)));
const aged = (from: number, to: number) => people.filter(({ age }) => age >= from && age <= to);
const inUs = people.filter(({ home }) => home.city.country === 'US');
const from = (country: string) => people.filter(({ home }) => home.city.country === country);

const been = ({ marital }: Person) => marital !== 'single';
const parent = ({ children }: Person) => children.length > 0;
const widowed = ({ marital }: Person) => marital === 'widowed';
const wants = ({ wantChildren }: Person) => wantChildren === 'yes' || wantChildren === 'probably';
const smokes = ({ smoking }: Person) => smoking !== 'never';
const sober = ({ drinking }: Person) => drinking === 'never';
const likes = (interest: Parameters<Person['interests']['get']>[0]) => (person: Person) =>
  ['love_it', 'often'].includes(person.interests.get(interest) ?? '');
const named = (names: readonly string[], some: readonly Person[]) =>
  share(some, ({ firstName }) => names.includes(firstName));

describe('the people of a population', () => {
  it('earn more with more schooling', () => {
    const adults = inUs.filter(({ age, occupation }) => age > 27 && age < 60 && occupation !== 'student');
    const pay = schooling.map((education) =>
      mean(
        adults.filter((person) => person.education === education),
        ({ bracket }) => bracket,
      ),
    );
    expect(pay).toEqual([...pay].sort((a, b) => a - b));
    expect((pay.at(-1) ?? 0) - (pay[0] ?? 0)).toBeGreaterThan(1.2);
  });

  it('earn more in their forties than in their early twenties', () => {
    expect(mean(aged(40, 49), ({ bracket }) => bracket)).toBeGreaterThan(
      mean(aged(20, 24), ({ bracket }) => bracket) + 0.8,
    );
  });

  it('are more often married, parents or retired with age', () => {
    expect(share(aged(18, 24), been)).toBeLessThan(0.1);
    expect(share(aged(45, 54), been)).toBeGreaterThan(0.6);
    expect(share(aged(18, 24), parent)).toBeLessThan(0.1);
    expect(share(aged(45, 60), parent)).toBeGreaterThan(0.45);
    expect(share(aged(65, 79), widowed)).toBeGreaterThan(share(aged(40, 50), widowed) + 0.15);
    expect(people.filter(({ occupation, age }) => occupation === 'retired' && age < 59)).toEqual([]);
    expect(people.filter(({ occupation, age }) => occupation === 'student' && age > 34)).toEqual([]);
  });

  it('are at least eighteen years older than their children', () => {
    expect(people.filter(({ age, children }) => children.some((child) => age - child < 18))).toEqual([]);
    const bare = people.filter(
      ({ children, hasChildren }) => (children.length === 0) !== (hasChildren === 'no'),
    );
    expect(bare).toEqual([]);
  });

  it('want children at a plausible age', () => {
    expect(share(aged(25, 34), wants)).toBeGreaterThan(0.4);
    expect(share(aged(56, 79), wants)).toBe(0);
  });

  it('have plausible heights', () => {
    const men = people.filter(({ gender }) => gender === 'Male');
    const women = people.filter(({ gender }) => gender === 'Female');
    const difference = mean(men, ({ height }) => height) - mean(women, ({ height }) => height);
    expect(difference).toBeGreaterThan(11);
    expect(difference).toBeLessThan(15);
  });

  it('have religions and languages of their countries', () => {
    expect(share(from('GR'), ({ religion }) => religion === 'orthodox')).toBeGreaterThan(0.55);
    expect(share(from('TR'), ({ religion }) => religion === 'muslim')).toBeGreaterThan(0.5);
    expect(share(from('DE'), ({ languages }) => languages[0] === 'german')).toBe(1);
    expect(share(inUs, ({ languages }) => languages.includes('english'))).toBe(1);
    const hispanic = inUs.filter(({ heritageName }) => heritageName === 'hispanic');
    expect(share(hispanic, ({ languages }) => languages.includes('spanish'))).toBeGreaterThan(0.6);
  });

  it('smoke more in Greece than in the United States, and drink less in faiths that forbid it', () => {
    expect(share(from('GR'), smokes)).toBeGreaterThan(share(inUs, smokes) + 0.1);
    const muslims = people.filter(({ religion }) => religion === 'muslim');
    expect(share(muslims, sober)).toBeGreaterThan(share(people, sober) + 0.2);
  });

  it('have related interests', () => {
    const readers = people.filter(likes('reading'));
    expect(share(readers, likes('writing'))).toBeGreaterThan(share(people, likes('writing')) * 1.5);
    const cooks = people.filter(likes('cooking'));
    expect(share(cooks, likes('gardening'))).toBeGreaterThan(share(people, likes('gardening')) * 1.15);
  });

  it('have names typical of their year of birth', () => {
    const of1960 = ['Susan', 'Linda', 'Karen', 'Gary', 'Larry', 'Dennis'];
    expect(named(of1960, aged(60, 79))).toBeGreaterThan(0.03);
    expect(named(of1960, aged(18, 40))).toBe(0);
  });
});
