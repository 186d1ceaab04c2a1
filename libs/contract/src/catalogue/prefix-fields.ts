import type { Field, FieldCriterion, FieldGroup, FieldKind, FieldValue } from './field.ts';
import { neighbouring, scale } from './scales.ts';

interface PrefixGroup {
  readonly prefix: string;
  readonly group: FieldGroup;
  readonly kind: FieldKind;
  readonly values?: readonly FieldValue[];
  readonly limits?: Field['limits'];
  readonly criterion?: FieldCriterion;
  /** The names of spec 2.8 without their prefix. */
  readonly names: string;
}

const platinum = (length: number): FieldCriterion => ({
  form: 'general',
  tier: 'platinum',
  weight: 1,
  neighbours: neighbouring(length, 0.5),
});

const groups: readonly PrefixGroup[] = [
  {
    prefix: 'a',
    group: 'opinion',
    kind: 'choice',
    values: scale('Strongly for', 'For', 'Undecided', 'Against', 'Strongly against'),
    criterion: platinum(5),
    names: `abortion animal_rights bill_clinton capital_punishment democrats euro european_union free_press gays_in_military
      george_bush gun_control homelessness legalizing_drugs macedonia nato ozone_depletion pornography religion republicans
      school_prayer spirituality tobacco_companies united_nations welfare women_in_military world_bank`,
  },
  {
    prefix: 'f',
    group: 'favorite',
    kind: 'text',
    limits: { max: 255 },
    criterion: { form: 'general', tier: 'platinum', weight: 1, text: true },
    names: `actor actress artist athlete author band bar book city clothing_store color country cuban_food drink fashion_designer
      fast_food_chain greek_athlete greek_entertainer greek_food greek_holiday magazine movie_action movie_comedy movie_drama
      movie_horror news_anchor nightclub place_to_be_kissed play politician pro_sports_team quote_from_a_movie restaurant
      song_at_the_moment sport stock turkish_athlete turkish_food tv_comedy tv_drama tv_news type_of_food type_of_music`,
  },
  {
    prefix: 'i',
    group: 'interest',
    kind: 'choice',
    values: scale('Not for me', 'Now and then', 'Often', 'Love it'),
    criterion: platinum(4),
    names: `acting animals antiques art astrology astronomy barbecues bars basketball biology board_games business_finance camping
      card_games cars children circus comedy community_service cooking dancing dating dogs_cats drawing electronics exercise food
      football gambling gardening guns internet live_concerts math medicine movies opera painting pets philosophy photography
      politics psychology radio reading religion rugs running school shopping singing sky_diving snowboarding soccer stock_market
      technology television tennis theater traveling video_games walking writing`,
  },
  {
    prefix: 'ls',
    group: 'lifestyle',
    kind: 'choice',
    values: scale('Not at all', 'A little', 'Somewhat', 'Quite', 'Very much'),
    criterion: platinum(5),
    names:
      'dress energy happy_hour neatness punctuality religion school spending travel weekends what_do_you_do work_ethic',
  },
  {
    prefix: 'p',
    group: 'personality',
    kind: 'choice',
    values: scale('Very low', 'Low', 'Medium', 'High', 'Very high'),
    criterion: platinum(5),
    names:
      'adventurousness affectionateness believability confidence independence mood romance sociability thought_process tolerance',
  },
  {
    prefix: 'q',
    group: 'question',
    kind: 'text',
    limits: { max: 1000 },
    names: `5_years_from_now age_for_marriage describe_perfect_evening greek_god how_many_kids kids_speak_greek kids_speak_turkish
      lessons love_at_first_sight magical_powers marriage most_important_in_relationship nerves perfect_weekend physical_appearance
      reincarnation what_friends_like_about_you what_friends_tease_you_about what_turns_off what_turns_on`,
  },
];

const sentenceCase = (name: string) => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const fieldsOf = ({ prefix, names, ...shared }: PrefixGroup): Field[] =>
  names.split(/\s+/).map((name) => ({
    name: `${prefix}_${name}`,
    labels: { en_US: sentenceCase(name) },
    ...shared,
  }));

/** The prefixed fields of spec 2.8: opinions, favorites, interests, lifestyle, personality and questions. */
export const prefixFields: readonly Field[] = groups.flatMap(fieldsOf);
