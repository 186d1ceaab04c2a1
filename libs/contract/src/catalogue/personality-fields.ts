import { fieldsOf, orderedField } from './define-fields.ts';

/** Personality: the `p_` fields, each on a scale of its own from little to much. */
export const personalityFields = fieldsOf('personality', [
  orderedField('p_adventurousness', 'Adventurousness', [
    'Prefer the familiar',
    'Cautious',
    'Open to new things',
    'Adventurous',
    'Always looking for a thrill',
  ]),
  orderedField('p_affectionateness', 'Affection', [
    'Reserved',
    'Slow to warm up',
    'Affectionate in private',
    'Affectionate',
    'Very affectionate',
  ]),
  orderedField('p_believability', 'Believability', [
    'Love a tall tale',
    'Embellish a little',
    'Mostly straightforward',
    'Honest',
    'Honest to a fault',
  ]),
  orderedField('p_confidence', 'Confidence', [
    'Shy',
    'Unsure at times',
    'Confident enough',
    'Confident',
    'Very confident',
  ]),
  orderedField('p_independence', 'Independence', [
    'Need someone close',
    'Like to do things together',
    'A bit of both',
    'Independent',
    'Very independent',
  ]),
  orderedField('p_mood', 'Mood', ['Melancholic', 'Serious', 'Even-tempered', 'Cheerful', 'Always sunny']),
  orderedField('p_romance', 'Romance', [
    'Not romantic',
    'A little romantic',
    'Romantic at times',
    'Romantic',
    'Hopelessly romantic',
  ]),
  orderedField('p_sociability', 'Sociability', [
    'Keep to myself',
    'A few close friends',
    'Sociable with friends',
    'Outgoing',
    'Life of the party',
  ]),
  orderedField('p_thought_process', 'Way of thinking', [
    'Strictly logical',
    'Mostly logical',
    'Head and heart alike',
    'Mostly intuitive',
    'Purely intuitive',
  ]),
  orderedField('p_tolerance', 'Tolerance', [
    'Set in my ways',
    'Within limits',
    'Patient',
    'Tolerant',
    'Live and let live',
  ]),
]);
