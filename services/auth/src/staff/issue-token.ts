import { notFound } from '@covalence/contract/failure';
import { issueStaffToken } from '@covalence/contract/peers/staff-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { signAccessToken } from '../keys/access-token.ts';
import { revokeFamily } from '../tokens/families/revoke-families.ts';
import { staffIdOf, type StaffContext } from './find-staff.ts';

/** Seconds; one command takes less. */
const lifetime = 300;
/** Client id in these tokens: no client application asked for them. */
const clientId = 'command-line';

/** A family for this one token, so that it is revoked with the others of the account. It has no refresh token. */
async function beginFamily(
  accountId: string,
  expires: number,
  { tokens, clock }: StaffContext,
): Promise<string> {
  const _id = v7();
  const subject = { id: 0, siteid: 0, staff: true };
  const dates = { begun_at: clock(), expires_at: new Date(expires) };
  await tokens.families.begin({ _id, account_id: accountId, grant: '{}', subject, ...dates });
  return _id;
}

/** POST /internal/staff/token: issues an access token for a staff account, for the command line. */
export const issueToken = serviceEndpoint(issueStaffToken, async (input, context: StaffContext) => {
  const { accounts, clock, security } = context;
  const staff_id = await staffIdOf(input.username, context);
  const family = await beginFamily(staff_id, clock().getTime() + lifetime * 1000, context);
  // Read after the family exists: disabling the account now revokes it.
  const account = await accounts.find(staff_id);
  if (!account || account.disabled) {
    await revokeFamily(family, context);
    throw notFound();
  }
  const { _id: subject, roles = {} } = account;
  const access_token = await signAccessToken(
    { subject, lifetime, client_id: clientId, scope: 'staff', roles, family },
    context,
  );
  security.record('staff_sign_in', { staff: account._id, client: clientId });
  return { access_token };
});
