import { invalidArgument } from '@covalence/contract/failure';
import { importMemberships } from '@covalence/contract/peers/billing-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import { soldRate, type PackageData } from '../prices/package-data.ts';
import { changeMemberships } from './change-memberships.ts';
import type { PaymentContext } from './settle-payment.ts';
import { sameMembership, statusOf, type MembershipFacts } from './membership.ts';

type Imported = z.infer<typeof importMemberships.input>['memberships'][number];

const factsOf = ({ package_id, rate_id, started_at, expires_at, autorenew }: Imported): MembershipFacts => ({
  package_id,
  rate_id,
  started_at: new Date(started_at),
  expires_at: new Date(expires_at),
  autorenew,
});

const isSound = (data: PackageData, { package_id, rate_id, started_at, expires_at }: Imported): boolean =>
  soldRate(data, rate_id)?.pack.package_id === package_id && Date.parse(started_at) < Date.parse(expires_at);

/**
 * Imports memberships, each of which replaces its member's current one. A repeated import changes nothing and publishes no event.
 * Answers 403 without code and writes nothing if a package or rate is unknown or a membership ends before it starts.
 */
export const importMembershipsEndpoint = serviceEndpoint(
  importMemberships,
  async ({ memberships }, context: PaymentContext) => {
    if (!memberships.every((imported) => isSound(context.packageData, imported))) throw invalidArgument();
    const at = context.clock();
    const wanted = new Map(memberships.map((imported) => [imported.member, factsOf(imported)]));
    await changeMemberships(
      context,
      [...wanted.keys()],
      (member, current) => {
        const facts = wanted.get(member);
        if (!facts) return undefined;
        const status = statusOf(facts, at);
        return current && sameMembership(current, facts, status) ? undefined : { member, ...facts, status };
      },
      at,
    );
    return { imported: wanted.size };
  },
);
