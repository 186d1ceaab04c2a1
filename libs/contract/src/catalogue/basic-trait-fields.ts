import { fieldsOf, general, ordered, trait } from './define-fields.ts';

/** The coded traits of the basic group that everybody may search by. */
export const basicTraitFields = fieldsOf('basic', [
  {
    name: 'height',
    kind: 'integer',
    label: 'Height (cm)',
    limits: { min: 120, max: 230 },
    criterion: { form: 'range', tier: 'basic', weight: 2, bounds: [120, 230] },
  },
  trait(
    'build',
    'Build',
    ['Slim', 'Athletic', 'Average', 'Curvy', 'Stocky', 'Large'],
    general('basic', 2, {
      neighbors: {
        10: { 20: 0.5, 30: 0.3 },
        20: { 10: 0.5, 30: 0.5 },
        30: { 20: 0.5, 10: 0.3, 40: 0.5, 50: 0.5 },
        40: { 30: 0.5, 60: 0.5 },
        50: { 30: 0.5, 60: 0.5 },
        60: { 40: 0.5, 50: 0.5 },
      },
    }),
  ),
  trait(
    'smoking',
    'Smoking',
    ['Never', 'Occasionally', 'Regularly', 'Trying to quit'],
    general('basic', 3, {
      neighbors: { 10: { 20: 0.3 }, 20: { 10: 0.5, 40: 0.5 }, 30: { 20: 0.5, 40: 0.5 }, 40: { 20: 0.5 } },
    }),
  ),
  trait('drinking', 'Drinking', ['Never', 'Rarely', 'Socially', 'Often'], general('basic', 2, ordered(4))),
  trait(
    'education',
    'Education',
    ['High school', 'Some college', 'Associate degree', "Bachelor's degree", "Master's degree", 'Doctorate'],
    general('basic', 2, ordered(6)),
  ),
  trait(
    'religion',
    'Religion',
    [
      'Agnostic',
      'Atheist',
      'Buddhist',
      'Catholic',
      'Christian, other',
      'Hindu',
      'Jewish',
      'Muslim',
      'Orthodox',
      'Protestant',
      'Spiritual',
      'Other',
    ],
    general('basic', 3, {
      neighbors: {
        10: { 20: 0.6, 110: 0.4 },
        20: { 10: 0.6 },
        40: { 50: 0.4, 90: 0.4 },
        50: { 40: 0.4, 90: 0.4, 100: 0.7 },
        90: { 40: 0.4, 50: 0.4 },
        100: { 50: 0.7 },
        110: { 10: 0.4, 30: 0.3 },
      },
    }),
  ),
  {
    ...trait(
      'marital_status',
      'Marital status',
      ['Single', 'Separated', 'Divorced', 'Widowed'],
      general('basic', 3),
    ),
    aliases: ['maritalstatus'],
  },
  trait(
    'has_children',
    'Has children',
    ['No', 'Yes, at home', 'Yes, sometimes at home', 'Yes, away from home'],
    general('basic', 3),
  ),
  trait(
    'want_children',
    'Wants children',
    ['Yes', 'Probably', 'Not sure', 'Probably not', 'No'],
    general('basic', 3, ordered(5)),
  ),
  trait(
    'language',
    'Languages',
    [
      'English',
      'Spanish',
      'German',
      'French',
      'Greek',
      'Turkish',
      'Italian',
      'Portuguese',
      'Arabic',
      'Chinese',
      'Russian',
      'Other',
    ],
    general('basic', 2),
    'choices',
  ),
]);
