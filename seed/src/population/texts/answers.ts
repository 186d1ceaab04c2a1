import type { Person } from '../traits/person.ts';
import type { Random } from '../random.ts';
import { favorites } from './english/favorites.ts';
import type { Rotation } from './rotation.ts';
import { fill, fittingLines, type Writer } from './template.ts';

const lists = new Map(
  Object.entries(favorites).map(([field, text]) => [field, text.replace(/\s+/g, ' ').split(', ')]),
);

/** Favorites that are answered in the United States. */
const american = ['f_restaurant', 'f_fast_food_chain', 'f_pro_sports_team'];

/** Favorites that go with an interest. */
const byInterest: Readonly<Record<string, readonly string[]>> = {
  reading: ['f_book', 'f_author'],
  movies: ['f_movie_comedy', 'f_movie_drama', 'f_movie_action', 'f_movie_horror', 'f_actor', 'f_actress'],
  television: ['f_tv_comedy', 'f_tv_drama'],
  live_concerts: ['f_band', 'f_song_at_the_moment'],
  singing: ['f_song_at_the_moment', 'f_type_of_music'],
  cooking: ['f_type_of_food', 'f_drink'],
  food: ['f_restaurant', 'f_type_of_food', 'f_fast_food_chain'],
  bars: ['f_drink'],
  traveling: ['f_city', 'f_country'],
  art: ['f_artist', 'f_color'],
  painting: ['f_artist', 'f_color'],
  theater: ['f_play', 'f_actress'],
  football: ['f_pro_sports_team', 'f_sport'],
  basketball: ['f_pro_sports_team', 'f_athlete'],
  soccer: ['f_sport', 'f_athlete'],
  tennis: ['f_athlete'],
  dating: ['f_place_to_be_kissed'],
  politics: ['f_magazine'],
};

const byCountry: Readonly<Record<string, readonly string[]>> = {
  GR: ['f_greek_food', 'f_greek_athlete', 'f_greek_entertainer', 'f_greek_holiday'],
  TR: ['f_turkish_food', 'f_turkish_athlete'],
};

/** A few favorites (`f_` fields) by interests and country. */
export function drawFavorites(random: Random, person: Person): Record<string, string> {
  const likely = [...person.interests]
    .filter(([, liking]) => liking === 'love_it' || liking === 'often')
    .flatMap(([interest]) => byInterest[interest] ?? [])
    .filter((field) => person.home.city.country === 'US' || !american.includes(field));
  const local = person.heritage.roots.includes('greek')
    ? byCountry['GR']
    : byCountry[person.home.city.country];
  const candidates = new Set([
    ...random.sample(likely, 4),
    ...random.sample(local ?? [], 2),
    ...random.sample(['f_color', 'f_drink', 'f_type_of_food', 'f_song_at_the_moment', 'f_book'], 1),
  ]);
  const chosen = random.sample([...candidates], random.integer(1, 6));
  return Object.fromEntries(chosen.map((field) => [field, random.pick(lists.get(field) ?? [''])]));
}

const parents = ['q_how_many_kids'];
const faithful = ['q_marriage', 'q_lessons'];
const anyone = [
  'q_5_years_from_now',
  'q_describe_perfect_evening',
  'q_perfect_weekend',
  'q_lessons',
  'q_love_at_first_sight',
  'q_magical_powers',
  'q_most_important_in_relationship',
  'q_what_friends_like_about_you',
  'q_what_friends_tease_you_about',
  'q_what_turns_on',
  'q_what_turns_off',
  'q_nerves',
  'q_marriage',
  'q_reincarnation',
];

/** Answers to up to four of the profile's questions (`q_` fields). */
export function writeAnswers(
  random: Random,
  person: Person,
  writer: Writer,
  rotation: Rotation,
): Record<string, string> {
  const wishesForChildren = ['yes', 'probably'].includes(person.wantChildren) || person.children.length > 0;
  const topics = [
    ...anyone,
    ...(wishesForChildren ? parents : []),
    ...(person.devotion > 0.5 ? faithful : []),
  ];
  const chosen = new Set(random.sample(topics, Number(random.weighted({ 0: 3, 1: 3, 2: 3, 3: 2, 4: 1 }))));
  const answers: Record<string, string> = {};
  for (const topic of chosen) {
    const line = rotation.choose(topic, fittingLines(topic, writer), random);
    if (line !== undefined) answers[topic] = fill(line, writer, random);
  }
  return answers;
}
