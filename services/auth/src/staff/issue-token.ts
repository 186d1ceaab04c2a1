import { notFound } from '@covalence/contract/failure';
import { issueStaffToken } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { SignJWT } from 'jose';
import { v7 } from 'uuid';
import { claimId, staffSite } from '../accounts/login-key.ts';
import type { Context } from '../context.ts';

/** Seconds: one command of a terminal takes less. */
const lifetime = 300;
/** Whoever looks at a token sees that no application asked for it. */
const clientId = 'command-line';

/** POST /internal/staff/token: an access token in the name of a staff account, for the command line. */
export const issueToken = endpoint({
  access: 'service',
  summary: 'An access token in the name of a staff account',
  ...issueStaffToken,
  handler: async ({ input }, { accounts, keyRing, issuer, config, now, logger }: Context) => {
    const [claim] = await accounts.findClaims([claimId(staffSite, 'username', input.username)]);
    const account = claim && (await accounts.find(claim.member_id));
    if (!account || account.disabled) throw notFound();
    const { signing } = await keyRing.current();
    const iat = Math.floor(now().getTime() / 1000);
    const access_token = await new SignJWT({ client_id: clientId, scope: 'staff' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: signing.kid })
      .setSubject(account._id)
      .setIssuer(issuer)
      .setAudience(config.PUBLIC_URL)
      .setJti(v7())
      .setIssuedAt(iat)
      .setExpirationTime(iat + lifetime)
      .sign(signing.privateKey);
    logger.info({ staff_id: account._id }, 'token for the command line');
    return { access_token };
  },
});
