import { createHash } from 'node:crypto';
import type { Person } from '../person.ts';
import { randomOf } from '../random.ts';
import { writeAboutMe } from './about-me.ts';
import { writeAnswers } from './answers.ts';
import { factsOf, type Wished } from './facts.ts';
import { writeHeadline } from './headline.ts';
import { createRotation, type Rotation } from './rotation.ts';
import type { Writer } from './template.ts';

/** What the texts of one population share: resting lines, and the texts there are. */
export interface Desk {
  readonly rotation: Rotation;
  /** Digests of every text about oneself so far. */
  readonly written: Set<string>;
}

/** The texts of one member: headline, about_me and q_ fields. */
export interface Texts {
  readonly headline: string;
  readonly about_me: string;
  readonly answers: Readonly<Record<string, string>>;
}

/** A desk on which nothing has been written yet. */
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

/** The least length of a text about oneself. */
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
