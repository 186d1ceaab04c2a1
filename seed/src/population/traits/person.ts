import type { Key, Liking } from './codes.ts';
import type { Gender } from '@covalence/contract/record';
import type { Home } from '../places/home.ts';
import type { Character } from './character.ts';
import type { Complexion, Heritage, HeritageName } from './heritage.ts';
import type { Interest } from './interest-clusters.ts';

/** Identity, from which all traits are drawn. */
export interface Identity {
  readonly gender: Gender;
  readonly seeks: Gender;
  /** Full years at the population's `now`. */
  readonly age: number;
  /** YYYY-MM-DD. */
  readonly born: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly home: Home;
  readonly heritageName: HeritageName;
  readonly heritage: Heritage;
  readonly complexion: Complexion;
}

/** Schooling, occupation, a title such as "a nurse", and the income bracket. */
export interface Work {
  readonly education: Key<'education'>;
  readonly occupation: Key<'occupation'>;
  readonly job: string;
  readonly income: Key<'income'>;
  /** The income bracket, also of an undisclosed income: 1 (lowest) to 6. */
  readonly bracket: number;
}

/** Marriages and children. */
export interface Family {
  readonly marital: Key<'marital_status'>;
  readonly hasChildren: Key<'has_children'>;
  readonly wantChildren: Key<'want_children'>;
  /** The ages of the children in years, oldest first. */
  readonly children: readonly number[];
}

/** Body and health habits. */
export interface Body {
  /** Centimetres. */
  readonly height: number;
  readonly build: Key<'build'>;
  readonly eyes: Key<'eye_color'>;
  readonly hair: Key<'hair_color'>;
  readonly exercise: Key<'exercise'>;
  readonly smoking: Key<'smoking'>;
  readonly drinking: Key<'drinking'>;
}

/** Faith, politics and languages. */
export interface Beliefs {
  readonly religion: Key<'religion'>;
  /** Importance of the religion, 0 to 1. */
  readonly devotion: number;
  readonly politics: Key<'politics'>;
  readonly languages: readonly Key<'language'>[];
}

/** Interests and tastes. */
export interface Tastes {
  readonly interests: ReadonlyMap<Interest, Liking>;
  readonly music: readonly Key<'music'>[];
  readonly pet: 'dog' | 'cat' | 'none';
}

/** A person: a member without texts, preferences and account. */
export type Person = Identity & Work & Family & Body & Beliefs & Tastes & { readonly character: Character };
