import { prefixed } from './define-fields.ts';

const rows = {
  '5_years_from_now': 'Where do you see yourself 5 years from now?',
  age_for_marriage: 'What is the best age for marriage?',
  describe_perfect_evening: 'Describe a perfect evening.',
  greek_god: 'Which Greek god would you be?',
  how_many_kids: 'How many kids would you like?',
  kids_speak_greek: 'Should your kids speak Greek?',
  kids_speak_turkish: 'Should your kids speak Turkish?',
  lessons: 'What has life taught you?',
  love_at_first_sight: 'Do you believe in love at first sight?',
  magical_powers: 'Which magical power would you like to have?',
  marriage: 'What does marriage mean to you?',
  most_important_in_relationship: 'What matters most in a relationship?',
  nerves: 'What gets on your nerves?',
  perfect_weekend: 'What is your perfect weekend?',
  physical_appearance: 'How important are looks?',
  reincarnation: 'What would you come back as in another life?',
  what_friends_like_about_you: 'What do your friends like about you?',
  what_friends_tease_you_about: 'What do your friends tease you about?',
  what_turns_off: 'What turns you off?',
  what_turns_on: 'What turns you on?',
};

/** Questions with a text as answer: the `q_` fields. */
export const questionFields = prefixed('q', 'question', { kind: 'text', limits: { max: 1000 } }, rows);
