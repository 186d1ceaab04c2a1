import { hourMs, dayMs } from '@covalence/contract/time';
import type { Overrides } from './create-person.ts';
import type { Membership } from './membership.ts';
import type { Texts } from './texts/write-texts.ts';
import type { Preferences } from './traits/preferences.ts';

/** A member with fixed main traits. */
export interface DemoMember {
  readonly username: string;
  readonly person: Overrides;
  readonly preferences: Pick<Preferences, 'age' | 'within'>;
  readonly texts: Pick<Texts, 'headline' | 'about_me'>;
}

/** The account of a demo member: first site, approved, searchable, without membership. */
export function demoMembership(now: Date): Membership {
  return {
    siteid: 1,
    userstatus: 'approved',
    searchable: true,
    online: true,
    world_plus: 'opted_in',
    joined: new Date(now.getTime() - 120 * dayMs).toISOString(),
    last_seen: new Date(now.getTime() - hourMs).toISOString(),
  };
}

/** The first members of every population: a woman and a man in Chicago who match. */
export const demoMembers: readonly DemoMember[] = [
  {
    username: 'anna',
    person: {
      gender: 'Female',
      seeks: 'Male',
      age: 33,
      firstName: 'Anna',
      lastName: 'Lindgren',
      city: 'Chicago',
      heritageName: 'scandinavian',
      complexion: 'fair',
      education: 'masters_degree',
      occupation: 'education',
      job: 'a middle school science teacher',
      marital: 'single',
      children: [],
      hasChildren: 'no',
      wantChildren: 'probably',
      smoking: 'never',
      drinking: 'socially',
      hair: 'blond',
      eyes: 'blue',
      height: 170,
      build: 'average',
      languages: ['english', 'german'],
      pet: 'none',
      interests: new Map([
        ['astronomy', 'love_it'],
        ['cooking', 'love_it'],
        ['art', 'love_it'],
        ['walking', 'often'],
        ['biology', 'often'],
      ]),
    },
    preferences: { age: { from: 29, to: 42 }, within: 50 },
    texts: {
      headline: 'Science teacher with a telescope and a sweet tooth',
      about_me:
        "I teach seventh graders how volcanoes work, so very little scares me. Outside of school you'll find me on the lakefront path, at the farmers market arguing about peaches, or on my back porch with a telescope and a blanket. I bake when I can't sleep and give most of it away. I'm looking for a man who is kind, a little funny, and happy to be dragged to a museum on a rainy Sunday. Tell me about the last thing that made you curious.",
    },
  },
  {
    username: 'ben',
    person: {
      gender: 'Male',
      seeks: 'Female',
      age: 35,
      firstName: 'Ben',
      lastName: 'Moretti',
      city: 'Chicago',
      heritageName: 'italian',
      complexion: 'olive',
      education: 'bachelors_degree',
      occupation: 'engineering',
      job: 'a civil engineer',
      marital: 'single',
      children: [],
      hasChildren: 'no',
      wantChildren: 'yes',
      smoking: 'never',
      drinking: 'socially',
      hair: 'brown',
      eyes: 'brown',
      height: 182,
      build: 'athletic',
      languages: ['english', 'italian'],
      pet: 'none',
      interests: new Map([
        ['cooking', 'love_it'],
        ['food', 'love_it'],
        ['card_games', 'often'],
        ['walking', 'often'],
        ['dogs_cats', 'often'],
      ]),
    },
    preferences: { age: { from: 27, to: 40 }, within: 50 },
    texts: {
      headline: 'Builds bridges by day, lasagna by night',
      about_me:
        "I'm a civil engineer, which means I can't cross a bridge without looking underneath it. My grandmother taught me to cook, my sister taught me to lose at cards, and the lake taught me to respect the wind. Most Saturdays I bike somewhere with a bakery at the end. I'd like to meet a woman who laughs easily, asks good questions and doesn't mind that I talk to dogs before I talk to their owners. First round of dumplings is on me.",
    },
  },
];
