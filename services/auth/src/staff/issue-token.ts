import { notFound } from '@covalence/contract/failure';
import { issueStaffToken } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { SignJWT } from 'jose';
import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { endFamily } from '../tokens/families/end-families.ts';
import { staffIdOf } from './find-staff.ts';

/** Seconds: one command of a terminal takes less. */
const lifetime = 300;
/** Whoever looks at a token sees that no application asked for it. */
const clientId = 'command-line';

/** A family of this one token, so that it ends with all others of the account; there is nothing in it to refresh. */
async function beginFamily(accountId: string, expires: number, { families, now }: Context): Promise<string> {
  const _id = v7();
  const subject = { id: 0, siteid: 0, staff: true };
  const dates = { begun_at: now(), expires_at: new Date(expires) };
  await families.begin({ _id, account_id: accountId, grant: '{}', subject, ...dates });
  return _id;
}

/** POST /internal/staff/token: an access token in the name of a staff account, for the command line. */
export const issueToken = endpoint({
  access: 'service',
  summary: 'An access token in the name of a staff account',
  ...issueStaffToken,
  handler: async ({ input }, context: Context) => {
    const { accounts, keyRing, issuer, config, now, security } = context;
    const staff_id = await staffIdOf(input.username, context);
    const iat = Math.floor(now().getTime() / 1000);
    const family = await beginFamily(staff_id, (iat + lifetime) * 1000, context);
    // Looked at with the family there already: whoever disables the account now finds it.
    const account = await accounts.find(staff_id);
    if (!account || account.disabled) {
      await endFamily(family, context);
      throw notFound();
    }
    const { signing } = await keyRing.current();
    const access_token = await new SignJWT({ client_id: clientId, scope: 'staff', family })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: signing.kid })
      .setSubject(account._id)
      .setIssuer(issuer)
      .setAudience(config.PUBLIC_URL)
      .setJti(v7())
      .setIssuedAt(iat)
      .setExpirationTime(iat + lifetime)
      .sign(signing.privateKey);
    security.record('staff_sign_in', { staff: account._id, client: clientId });
    return { access_token };
  },
});
