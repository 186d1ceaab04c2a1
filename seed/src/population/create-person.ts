import type { Person } from './traits/person.ts';
import { randomOf } from './random.ts';
import { drawBeliefs } from './traits/beliefs.ts';
import { drawBody } from './traits/body.ts';
import { drawCharacter } from './traits/character.ts';
import { drawFamily } from './traits/family.ts';
import { drawIdentity } from './traits/identity.ts';
import { drawTastes } from './traits/interests.ts';
import { drawWork } from './traits/work.ts';

/** Fixed traits of a person; the city by name. */
export type Overrides = Partial<Omit<Person, 'home' | 'born' | 'heritage'>> & { readonly city?: string };

/** Creates the person of an index. Each group of traits depends on earlier ones and has its own random stream. */
export function createPerson(seed: number, index: number, now: Date, given: Overrides = {}): Person {
  const { city: _city, ...traits } = given;
  const stream = (topic: string) => randomOf(seed, index, topic);
  const identity = { ...drawIdentity(stream('identity'), now, given), ...traits };
  const character = drawCharacter(stream('character'), identity.age);
  const known = {
    ...identity,
    character,
    ...drawWork(stream('work'), identity),
    ...drawFamily(stream('family'), identity),
    ...drawBeliefs(stream('beliefs'), { ...identity, character }),
    ...traits,
  };
  return { ...known, ...drawBody(stream('body'), known), ...drawTastes(stream('tastes'), known), ...traits };
}
