import { notifyAppeal, notifyDecision, notifyReport } from '@covalence/contract/peers/decisions-api';
import { serviceEndpoint, type Routes } from '@covalence/http/endpoint';
import type { z } from 'zod';

/** The mails that the service asked for, in order. */
export interface Mailed {
  readonly decisions: z.output<typeof notifyDecision.input>[];
  /** The outcomes of reports. */
  readonly reports: z.output<typeof notifyReport.input>[];
  /** The outcomes of appeals. */
  readonly appeals: z.output<typeof notifyAppeal.input>[];
}

export const mailedNothing = (): Mailed => ({ decisions: [], reports: [], appeals: [] });

/** The calls of the auth service that mail members what staff decided. */
export function fakeMails(failIfAsked: (name: string) => void, mailed: Mailed): Routes<undefined> {
  const taking =
    <Input>(list: Input[], name: string) =>
    async (input: Input) => {
      failIfAsked(name);
      list.push(input);
      return Promise.resolve({});
    };
  return {
    'POST /internal/accounts/notify-decision': serviceEndpoint(
      notifyDecision,
      taking(mailed.decisions, 'notify-decision'),
    ),
    'POST /internal/accounts/notify-report': serviceEndpoint(
      notifyReport,
      taking(mailed.reports, 'notify-report'),
    ),
    'POST /internal/accounts/notify-appeal': serviceEndpoint(
      notifyAppeal,
      taking(mailed.appeals, 'notify-appeal'),
    ),
  };
}
