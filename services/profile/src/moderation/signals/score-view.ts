import { scamSignals } from '@covalence/contract/scam-rules';
import { isoOrNull } from '@covalence/runtime/clock';
import { z } from 'zod';
import { versionOf, type Score } from './score.ts';

/** The signals that there are. */
export const signalName = z.enum(scamSignals).meta({ examples: ['money'] });

/** The mode of the rules. */
export const scamMode = z.enum(['shadow', 'on']).meta({
  description: 'With `on` a member with the threshold waits in the queue; with `shadow` nothing follows.',
});

/** The version of the rules. */
export const rulesVersion = z.string().meta({
  examples: ['3f1c09ab'],
  description: 'The rules: any change of them but that of the mode gives another one.',
});

/** The score of a member as staff see it. */
export const scamScoreSchema = z
  .strictObject({
    mode: scamMode,
    version: rulesVersion,
    score: z.int().meta({ examples: [10] }),
    threshold: z.int().meta({ examples: [9] }),
    reasons: z.array(
      z
        .strictObject({
          signal: signalName,
          weight: z.int().meta({ examples: [5] }),
          count: z.int().meta({
            examples: [3],
            description: 'In how many conversations; 1 or 2 of `place`, 1 of `new_account`.',
          }),
          last: z.iso.datetime().nullable().meta({ description: 'Null where it is not known.' }),
        })
        .meta({ id: 'ScamReason' }),
    ),
  })
  .meta({ id: 'ScamScore' });

/** The score of a member as staff see it. */
export const scamScoreView = ({ rules, score, reasons }: Score): z.output<typeof scamScoreSchema> => ({
  mode: rules.mode,
  version: versionOf(rules),
  score,
  threshold: rules.threshold,
  reasons: reasons.map(({ last, ...reason }) => ({ ...reason, last: isoOrNull(last) })),
});
