import { orderedChoice, prefixed } from './define-fields.ts';

/** Every scale runs from the most in favor to the most against, so that one code means the same leaning in all of them. */
const stance = orderedChoice('stance', ['Strongly for', 'For', 'Undecided', 'Against', 'Strongly against']);

const regard = orderedChoice('regard', [
  'Very favorable',
  'Favorable',
  'Neutral',
  'Unfavorable',
  'Very unfavorable',
]);

const concern = orderedChoice('concern', [
  'One of my main concerns',
  'An important issue',
  'One issue among others',
  'Made too much of',
  'No concern of mine',
]);

const importance = orderedChoice('importance', [
  'Central to my life',
  'Important to me',
  'It has its place',
  'Of little importance',
  'Not for me',
]);

const issues = {
  abortion: 'Abortion rights',
  animal_rights: 'Animal rights',
  capital_punishment: 'Capital punishment',
  free_press: 'Free press',
  gays_in_military: 'Gays in the military',
  gun_control: 'Gun control',
  legalizing_drugs: 'Legalizing drugs',
  pornography: 'Pornography',
  school_prayer: 'Prayer in schools',
  welfare: 'Welfare',
  women_in_military: 'Women in the military',
};

const regarded = {
  bill_clinton: 'Bill Clinton',
  democrats: 'Democrats',
  euro: 'The euro',
  european_union: 'European Union',
  george_bush: 'George Bush',
  macedonia: 'Macedonia',
  nato: 'NATO',
  republicans: 'Republicans',
  tobacco_companies: 'Tobacco companies',
  united_nations: 'United Nations',
  world_bank: 'World Bank',
};

const concerns = {
  homelessness: 'Homelessness',
  ozone_depletion: 'Ozone depletion',
};

const beliefs = {
  religion: 'Religion',
  spirituality: 'Spirituality',
};

/** Opinions: the `a_` fields. */
export const opinionFields = [
  ...prefixed('a', 'opinion', stance, issues),
  ...prefixed('a', 'opinion', regard, regarded),
  ...prefixed('a', 'opinion', concern, concerns),
  ...prefixed('a', 'opinion', importance, beliefs),
];
