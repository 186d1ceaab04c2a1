import type { Person } from '../traits/person.ts';
import type { Random } from '../random.ts';
import type { Rotation } from './rotation.ts';
import { fill, fittingLines, type Writer } from './template.ts';

/** The limits of a headline. */
const shortest = 10;
const longest = 75;

/** A headline of 10 to 75 characters from the topics that fit the person. */
export function writeHeadline(random: Random, person: Person, writer: Writer, rotation: Rotation): string {
  const weights = topicsOf(person);
  for (let tries = 0; tries < 20; tries += 1) {
    const topic = `headline.${random.weighted(weights)}`;
    const line = rotation.choose(topic, fittingLines(topic, writer), random);
    const headline = line === undefined ? '' : fill(line, writer, random);
    if (headline.length >= shortest && headline.length <= longest) return headline;
  }
  return `${person.firstName}, ${person.age}, ${person.home.city.name}`;
}

function topicsOf(person: Person): Record<string, number> {
  const { character, age, devotion } = person;
  const parent = ['yes_at_home', 'yes_sometimes_at_home'].includes(person.hasChildren);
  return {
    warm: 16 * Math.exp(character.warmth * 0.5),
    dry: 13 * Math.exp(character.openness * 0.5),
    plain: 18,
    interest: 34,
    parent: parent ? 9 : 0,
    older: age > 57 ? 12 : 0,
    young: age < 27 ? 10 : 0,
    faith: devotion > 0.65 ? 10 : 0,
    dog: person.pet === 'dog' ? 6 : 0,
    cat: person.pet === 'cat' ? 6 : 0,
  };
}
