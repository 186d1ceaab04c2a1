import { fieldsOf, orderedField } from './define-fields.ts';

/** Lifestyle: the `ls_` fields, each on a scale of its own from little to much. */
export const lifestyleFields = fieldsOf('lifestyle', [
  orderedField('ls_dress', 'Dress', [
    'Whatever is comfortable',
    'Casual',
    'Smart casual',
    'Stylish',
    'Always dressed up',
  ]),
  orderedField('ls_energy', 'Energy', [
    'Very laid-back',
    'Calm',
    'Balanced',
    'Energetic',
    'Always on the go',
  ]),
  orderedField('ls_happy_hour', 'Happy hour', [
    'Never',
    'On special occasions',
    'Now and then',
    'Most weeks',
    'Whenever there is one',
  ]),
  orderedField('ls_neatness', 'Neatness', [
    'Creative chaos',
    'A little untidy',
    'Tidy enough',
    'Neat',
    'Spotless',
  ]),
  orderedField('ls_punctuality', 'Punctuality', [
    'Always late',
    'Often late',
    'A few minutes late',
    'On time',
    'Always early',
  ]),
  orderedField('ls_religion', 'Religious practice', [
    'None',
    'Seldom',
    'On holidays',
    'Regularly',
    'Every day',
  ]),
  orderedField('ls_school', 'Learning', [
    'Glad that school is over',
    'Only what I need',
    'Now and then a course',
    'Like to learn',
    'Never stop learning',
  ]),
  orderedField('ls_spending', 'Spending', [
    'Save every penny',
    'Careful',
    'Balanced',
    'Generous',
    'Live for today',
  ]),
  orderedField('ls_travel', 'Travel', [
    'Happiest at home',
    'Not far from home',
    'Once a year',
    'Several times a year',
    'As often as I can',
  ]),
  orderedField('ls_weekends', 'Weekends', [
    'Quiet and on my own',
    'At home with those I love',
    'A bit of everything',
    'Out with friends',
    'Out until morning',
  ]),
  orderedField('ls_what_do_you_do', 'What I do', [
    'Taking time off',
    'Looking for the right thing',
    'A job that pays the bills',
    'A job that I enjoy',
    'My calling',
  ]),
  orderedField('ls_work_ethic', 'Work ethic', [
    'Work to live',
    'Easygoing',
    'Work and life in balance',
    'Hard-working',
    'Work comes first',
  ]),
]);
