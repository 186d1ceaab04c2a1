import { createHash } from 'node:crypto';
import type { Person } from '../traits/person.ts';
import { randomOf } from '../random.ts';
import { writeAboutMe } from './about-me.ts';
import { writeAnswers } from './answers.ts';
import { factsOf, type Wished } from './facts.ts';
import { writeHeadline } from './headline.ts';
import { createRotation, type Rotation } from './rotation.ts';
import type { Writer } from './template.ts';

/** The shared state of the texts of a population. */
export interface Desk {
  readonly rotation: Rotation;
  /** Digests of every about_me so far. */
  readonly written: Set<string>;
}

/** The texts of one member: headline, about_me and q_ fields. */
export interface Texts {
  readonly headline: string;
  readonly about_me: string;
  readonly answers: Readonly<Record<string, string>>;
}

/** An empty desk. */
export function createDesk(): Desk {
  return { rotation: createRotation(), written: new Set() };
}

/** Writes the texts of a member, in English. No two `about_me` of one desk are the same. */
export function writeTexts(seed: number, index: number, person: Person, wished: Wished, desk: Desk): Texts {
  desk.rotation.turn();
  const writer = (): Writer => ({
    facts: factsOf(person, wished, randomOf(seed, index, 'facts')),
    gender: person.gender,
    used: new Set(),
  });
  return {
    headline: writeHeadline(randomOf(seed, index, 'headline'), person, writer(), desk.rotation),
    about_me: unwritten(desk, (attempt) =>
      writeAboutMe(randomOf(seed, index, 'about', attempt), person, writer(), desk.rotation),
    ),
    answers: writeAnswers(randomOf(seed, index, 'answers'), person, writer(), desk.rotation),
  };
}

/** The least length of an about_me. */
const shortestText = 100;

function unwritten({ written }: Desk, write: (attempt: number) => string): string {
  for (let attempt = 0; ; attempt += 1) {
    const text = write(attempt);
    const digest = createHash('sha256').update(text).digest('base64').slice(0, 20);
    if (text.length >= shortestText && !written.has(digest)) {
      written.add(digest);
      return text;
    }
  }
}
