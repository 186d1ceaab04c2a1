import { z } from 'zod';
import { newTotpKey, readCode } from '../../accounts/second-factors.ts';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { pageQuery } from '../../tokens/sessions/page-query.ts';
import { isTwoFactor } from '../../tokens/sessions/sign-in-result.ts';
import { isByPasskey, type Visit } from '../browser-account.ts';
import { memberPage } from '../member-page.ts';
import type { MemberPage } from '../pages/member-page.ts';
import type { Problem } from '../pages/respond.ts';
import { recoveryCodesPage } from '../pages/second-factor-pages.ts';
import { twoStepOffPage, twoStepOnPage } from '../pages/two-step-pages.ts';
import { recordEvent } from '../record-event.ts';
import { newApp } from '../login/show-second-factor.ts';
import { addApp, removeApp, renewRecoveryCodes } from '../methods/change-factors.ts';
import { useCode } from '../methods/use-code.ts';
import { announceChange, twoStepOff } from '../methods/announce-change.ts';

const code = z.string().max(64).default('');

const formSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('on'), enrollment: z.string().max(1_024), code }),
  z.object({ action: z.enum(['codes', 'off']), code }),
]);

type Form = z.output<typeof formSchema>;

const actionOf = ({ request }: Visit): string => accountPaths.twoStep + pageQuery(request.query);

/** A new app is for the session that the page was shown to. */
const boundTo = ({ session, account }: Visit): string => `enroll:${session.uid}:${account._id}`;

/** Shows new recovery codes, once. */
const codesPage = (visit: Visit, codes: readonly string[]) => ({
  page: recoveryCodesPage(visit.presentation, { codes, next: actionOf(visit) }),
});

const stale = { problem: 'staleForm' } as const;

/** Turns two-step sign-in on. This session stays: whoever turned it on has proven the app. */
async function turnOn(visit: Visit, form: Extract<Form, { action: 'on' }>) {
  const { account, context, request, response, session } = visit;
  const key = context.keys.seal.open('totp-enrollment', form.enrollment, boundTo(visit));
  if (key === undefined || account.totp) return stale;
  const codes = await addApp(account, { key, code: form.code }, context);
  if (codes === 'wrong') return { problem: 'wrongCode', key } as const;
  if (codes === 'changed') return stale;
  if (!isTwoFactor(session.amr)) {
    session.amr = [...(session.amr ?? []), 'otp', 'mfa'];
    await session.persist();
  }
  rememberDevice(response, deviceOf(request, context).withAccount(account, true), context);
  recordEvent(visit, 'second_factor_added', { account });
  return codesPage(visit, codes);
}

/** The problem of a code that does not prove that it is the member. */
async function problemOf(visit: Visit, entered: string): Promise<Problem | undefined> {
  if (isByPasskey(visit)) return undefined;
  const { account, context } = visit;
  const outcome = await useCode(visit, account, entered);
  if (outcome.kind === 'limited') return outcome;
  const { secondFactors } = context.accounts;
  if (outcome.kind === 'app') return undefined;
  if (outcome.kind === 'recovery' && (await secondFactors.useRecovery(account, outcome.hash)))
    return undefined;
  return { problem: readCode(entered).recovery === undefined ? 'wrongCode' : 'wrongRecoveryCode' };
}

/** /account/two-step: turns two-step sign-in on or off, or makes new recovery codes. */
export const twoStepPage = memberPage({
  path: accountPaths.twoStep,
  form: formSchema,
  page(visit, { key = newTotpKey(), ...shown }: MemberPage & { readonly key?: string }) {
    const { account, context, presentation } = visit;
    const { totp, recovery_codes = [] } = account;
    if (!totp) {
      const app = newApp(account, key, boundTo(visit), presentation, context);
      return twoStepOffPage(presentation, { ...shown, app });
    }
    const needsCode = !isByPasskey(visit);
    const codesLeft = recovery_codes.length;
    return twoStepOnPage(presentation, { ...shown, since: totp.added_at, codesLeft, needsCode });
  },
  async take(visit, form) {
    const { account, context } = visit;
    if (form.action === 'on') return turnOn(visit, form);
    if (!account.totp) return { location: actionOf(visit) };
    const problem = await problemOf(visit, form.code);
    if (problem) return problem;
    if (form.action === 'off') {
      if (await removeApp(account, context)) {
        recordEvent(visit, 'second_factor_removed', { account, reason: 'page' });
        announceChange(account, twoStepOff, context);
      }
      return { done: 'twoStepUndone' };
    }
    // A recovery code may just have been used up.
    const current = await context.accounts.find(account._id);
    const codes = current && (await renewRecoveryCodes(current, context));
    if (!codes) return stale;
    recordEvent(visit, 'recovery_codes_renewed', { account });
    return codesPage(visit, codes);
  },
});
