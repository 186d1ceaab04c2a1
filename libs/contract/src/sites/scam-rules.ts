import { z } from 'zod';
import { moneyWords } from './scam-words.ts';

/** The signals of scams, in the order in which staff read them. */
export const scamSignals = ['alike', 'links', 'contact', 'money', 'place', 'new_account'] as const;

/** One of the signals of scams. */
export type ScamSignal = (typeof scamSignals)[number];

const weightOf = (standard: number) =>
  z.int().min(0).max(100).default(standard).describe('what it adds to the score; 0 turns it off');

const hours = (standard: number) =>
  z.int().min(1).max(720).default(standard).describe('hours in which it is counted');

const from = (standard: number) =>
  z
    .int()
    .min(1)
    .max(1_000)
    .default(standard)
    .describe('in how many conversations it has to be, each counted once');

const words = (standard: readonly string[]) =>
  z
    .array(z.string().trim().min(3).max(60))
    .max(200)
    .default([...standard])
    .describe('words and phrases, in any spelling that looks like them');

const host = z
  .string()
  .regex(/^(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}$/u)
  .toLowerCase();

const signals = z.strictObject({
  alike: z
    .strictObject({
      weight: weightOf(5),
      hours: hours(24),
      from: from(5),
      similarity: z.number().min(0.3).max(1).default(0.6).describe('share of a text that is the same'),
      letters: z.int().min(20).max(1_000).default(40).describe('letters of a text that is compared'),
    })
    .prefault({})
    .describe('first messages that resemble each other'),
  links: z
    .strictObject({
      weight: weightOf(4),
      hours: hours(168),
      from: from(3),
      hosts: z.array(host).max(100).default([]).describe('hosts that do not count, with their subdomains'),
    })
    .prefault({})
    .describe('links in messages'),
  contact: z
    .strictObject({ weight: weightOf(3), hours: hours(72), from: from(4) })
    .prefault({})
    .describe('addresses, phone numbers and messengers in messages that nobody has answered'),
  money: z
    .strictObject({
      weight: weightOf(5),
      hours: hours(168),
      from: from(2),
      words: z
        .strictObject({
          en: words(moneyWords.en),
          de: words(moneyWords.de),
          el: words(moneyWords.el),
          es: words(moneyWords.es),
          fr: words(moneyWords.fr),
          tr: words(moneyWords.tr),
        })
        .prefault({})
        .describe('by language; those of all languages count for every member'),
    })
    .prefault({})
    .describe('words about money in messages'),
  place: z
    .strictObject({
      weight: weightOf(2),
      miles: z.int().min(50).max(12_500).default(300).describe('from the town of the profile'),
      days: z.int().min(1).max(30).default(14).describe('days after a move to another country'),
    })
    .prefault({})
    .describe('a position of the app far from the town of the profile, or a recent move abroad'),
  new_account: z
    .strictObject({
      weight: weightOf(2),
      days: z.int().min(1).max(365).default(7).describe('days after the registration'),
    })
    .prefault({})
    .describe('a new account'),
});

/** A site's rules on scam signals: scores, thresholds and effects. */
export const scamRules = z
  .strictObject({
    mode: z
      .enum(['shadow', 'on'])
      .default('shadow')
      .describe('whether a member with the threshold waits in the queue, or staff only see the score'),
    threshold: z.int().min(1).max(1_000).default(9).describe('score from which a member is flagged'),
    decided_within_days: z
      .int()
      .min(1)
      .max(90)
      .default(30)
      .describe('days in which a decision of staff says whether a flag was right'),
    signals: signals.prefault({}),
  })
  .superRefine(({ threshold, signals: { place, new_account, ...messages } }, context) => {
    const sum = Object.values(messages).reduce((all, { weight }) => all + weight, 0);
    const companions = place.weight + new_account.weight;
    const path = ['threshold'];
    if (threshold > sum + companions)
      context.addIssue({ code: 'custom', path, message: 'all signals together do not reach it' });
    // Somebody who is new here and has moved is no suspect.
    if (threshold <= companions)
      context.addIssue({ code: 'custom', path, message: 'place and new_account reach it without a message' });
  });

/** The rules of a site. */
export type ScamRules = z.output<typeof scamRules>;
