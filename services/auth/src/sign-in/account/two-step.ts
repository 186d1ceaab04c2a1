import { addressKey } from '@covalence/http/address-key';
import type { SecurityEventName } from '@covalence/runtime/security-events';
import { z } from 'zod';
import { newTotpKey, readCode } from '../../accounts/second-factors.ts';
import { twoStepPath } from '../../tokens/provider/hosted-pages-client.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { pageQuery } from '../../tokens/sessions/page-query.ts';
import { isTwoFactor } from '../../tokens/sessions/sign-in-result.ts';
import {
  formIn,
  isByPasskey,
  memberPageOf,
  recentVisit,
  redirectDone,
  type Visit,
} from '../browser-account.ts';
import { redirect, sendPage } from '../pages/respond.ts';
import { recoveryCodesPage } from '../pages/second-factor-pages.ts';
import { twoStepOffPage, twoStepOnPage } from '../pages/two-step-pages.ts';
import { newApp } from '../show-second-factor.ts';
import type { PageHandler } from '../sign-in-context.ts';
import { addApp, removeApp, renewRecoveryCodes } from '../change-factors.ts';
import { limitText, useCode } from '../use-code.ts';

const code = z.string().max(64).default('');

const formSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('on'), csrf: z.string(), enrollment: z.string().max(1_024), code }),
  z.object({ action: z.literal('codes'), csrf: z.string(), code }),
  z.object({ action: z.literal('off'), csrf: z.string(), code }),
]);

type Form = z.output<typeof formSchema>;

const actionOf = ({ request }: Visit): string => twoStepPath + pageQuery(request.query);

/** A new app is for the session that the page was shown to. */
const boundTo = ({ session, account }: Visit): string => `enroll:${session.uid}:${account._id}`;

/** Why the page is shown again, and the key of the app that it showed before. */
interface Again {
  readonly problem?: string;
  readonly status?: number;
  readonly key?: string;
}

function show(visit: Visit, { problem, status = 200, key = newTotpKey() }: Again = {}): void {
  const { account, context, presentation, response } = visit;
  const { totp, recovery_codes = [] } = account;
  const form = { ...memberPageOf(visit, twoStepPath), problem };
  const page = totp
    ? twoStepOnPage(presentation, {
        ...form,
        since: totp.added_at,
        codesLeft: recovery_codes.length,
        needsCode: !isByPasskey(visit),
      })
    : twoStepOffPage(presentation, {
        ...form,
        app: newApp(account, key, boundTo(visit), presentation, context),
      });
  sendPage(response, page, status);
}

/** GET /account/two-step: turns two-step sign-in on, or shows it. */
export const showTwoStep: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, twoStepPath, context);
  if (visit) show(visit);
};

function record({ account, context, request }: Visit, name: SecurityEventName, reason?: string): void {
  context.security.record(name, { member: account._id, address: addressKey(request.ip ?? ''), reason });
}

/** Shows new recovery codes, once. */
function showCodes(visit: Visit, codes: readonly string[]): void {
  sendPage(visit.response, recoveryCodesPage(visit.presentation, { codes, next: actionOf(visit) }));
}

/** Turns two-step sign-in on. This session stays: whoever turned it on has proven the app. */
async function turnOn(visit: Visit, form: Extract<Form, { action: 'on' }>): Promise<void> {
  const { account, context, presentation, request, response, session } = visit;
  const stale = () => show(visit, { problem: presentation.text('staleForm') });
  const key = context.keys.seal.open('totp-enrollment', form.enrollment, boundTo(visit));
  if (key === undefined || account.totp) return stale();
  const codes = await addApp(account, { key, code: form.code }, context);
  if (codes === 'wrong') return show(visit, { problem: presentation.text('wrongCode'), key });
  if (codes === 'changed') return stale();
  if (!isTwoFactor(session.amr)) {
    session.amr = [...(session.amr ?? []), 'otp', 'mfa'];
    await session.persist();
  }
  rememberDevice(response, deviceOf(request, context).withAccount(account, true), context);
  record(visit, 'second_factor_added');
  showCodes(visit, codes);
}

/** Whether a code proves that it is the member. Shows the page again if not. */
async function isProven(visit: Visit, entered: string): Promise<boolean> {
  if (isByPasskey(visit)) return true;
  const { account, context, presentation, request, response } = visit;
  const outcome = await useCode(request, account, entered, context);
  if (outcome.kind === 'limited') {
    response.set('Retry-After', String(outcome.seconds));
    show(visit, { status: 429, problem: limitText(presentation, outcome) });
    return false;
  }
  const { secondFactors } = context.accounts;
  if (outcome.kind === 'app') return true;
  if (outcome.kind === 'recovery' && (await secondFactors.useRecovery(account, outcome.hash))) return true;
  const isRecovery = readCode(entered).recovery !== undefined;
  show(visit, { problem: presentation.text(isRecovery ? 'wrongRecoveryCode' : 'wrongCode') });
  return false;
}

/** POST /account/two-step: turns two-step sign-in on or off, or makes new recovery codes. */
export const takeTwoStep: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, twoStepPath, context);
  if (!visit) return;
  const { account, presentation } = visit;
  const form = formIn(formSchema, visit);
  if (!form) return show(visit, { status: 403, problem: presentation.text('staleForm') });
  if (form.action === 'on') return turnOn(visit, form);
  if (!account.totp) return redirect(response, actionOf(visit));
  if (!(await isProven(visit, form.code))) return;
  if (form.action === 'off') {
    if (await removeApp(account, context)) record(visit, 'second_factor_removed', 'page');
    return redirectDone(visit, twoStepPath, 'twoStepUndone');
  }
  // A recovery code may just have been used up.
  const current = await context.accounts.find(account._id);
  const codes = current && (await renewRecoveryCodes(current, context));
  if (!codes) return show(visit, { problem: presentation.text('staleForm') });
  record(visit, 'recovery_codes_renewed');
  showCodes(visit, codes);
};
