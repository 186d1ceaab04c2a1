import { z } from 'zod';
import { maxPasskeys } from '../../accounts/passkey-store.ts';
import type { TextName } from '../../localization/presentation.ts';
import { passkeysPath } from '../../tokens/provider/hosted-pages-client.ts';
import { formIn, memberPageOf, recentVisit, redirectDone, type Visit } from '../browser-account.ts';
import { passkeyNameMaximum, passkeysPage, type PasskeysPage } from '../pages/passkey-pages.ts';
import { sendPage } from '../pages/respond.ts';
import type { PageHandler } from '../sign-in-context.ts';
import { removeWayIn } from '../ways-in.ts';
import { acceptedPasskeys } from '../webauthn/ceremony.ts';
import { addPasskey, newPasskey } from '../add-passkey.ts';
import { isSettled } from '../recovery.ts';

const id = z.string().max(1_400);

const formSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('add'),
    csrf: z.string(),
    credential: z.string(),
    challenge: z.string().max(1_024),
  }),
  z.object({
    action: z.literal('rename'),
    csrf: z.string(),
    id,
    name: z.string().max(1_000),
  }),
  z.object({ action: z.literal('remove'), csrf: z.string(), id }),
]);

/** A name as pages can show it. */
const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(passkeyNameMaximum)
  .regex(/^[^\p{Cc}\p{Cf}]*$/u);

/** What is wrong with a form: a text, and the name in error. */
interface Problem {
  readonly text: TextName;
  readonly wrong?: PasskeysPage['wrong'];
}

/** A new passkey is for the session that the page was shown to. */
const boundTo = ({ session }: Visit): string => `account:${session.uid}`;

async function show(visit: Visit, status = 200, { text, wrong }: Partial<Problem> = {}): Promise<void> {
  const { account, response, presentation, context } = visit;
  const { passkeys = [] } = account;
  const added =
    passkeys.length < maxPasskeys
      ? await newPasskey(account, boundTo(visit), presentation, context)
      : undefined;
  const { passkey_user: user } = account;
  const accepted = user && JSON.stringify(acceptedPasskeys(context, user, passkeys));
  const problem = text && presentation.text(text);
  const page = passkeysPage(presentation, {
    ...memberPageOf(visit, passkeysPath),
    passkeys,
    accepted,
    added,
    problem,
    wrong,
  });
  sendPage(response, page, status);
}

/** GET /account/passkeys: the passkeys of the signed-in member. Without a recent sign-in, redirects to it. */
export const showPasskeys: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, passkeysPath, context);
  if (visit) await show(visit);
};

const doneBy = { add: 'passkeyDone', rename: 'passkeyRenamed', remove: 'passkeyUndone' } as const;

/** Applies a form; the problem, if there is one. */
async function apply(visit: Visit, form: z.output<typeof formSchema>): Promise<Problem | undefined> {
  const { account, context, request } = visit;
  const { passkeys } = context.accounts;
  if (form.action === 'add') {
    const isAdded = await addPasskey(account, { ...form, request, bound: boundTo(visit) }, context);
    return isAdded ? undefined : { text: 'passkeyNotAdded' };
  }
  if (form.action === 'rename') {
    const { data: name } = nameSchema.safeParse(form.name);
    if (name === undefined) return { text: 'fieldInvalid', wrong: form };
    await passkeys.rename(account, form.id, name);
    return undefined;
  }
  return (await removePasskey(visit, form.id)) ? undefined : { text: 'lastWayIn' };
}

/** Removes a passkey, unless nothing else signs the member in. False when it is the last way in. */
async function removePasskey(
  { account, context, presentation, request }: Visit,
  passkeyId: string,
): Promise<boolean> {
  const passkey = account.passkeys?.find((one) => one.id === passkeyId);
  if (!passkey) return true;
  return removeWayIn(
    account,
    {
      list: 'passkeys',
      id: passkeyId,
      what: passkey.name || presentation.text('passkey'),
      isSettled: isSettled(passkey.created_at, context),
      ip: request.ip ?? '',
    },
    context,
  );
}

/** POST /account/passkeys: adds, renames or removes one. */
export const takePasskeys: PageHandler = async (request, response, context) => {
  const visit = await recentVisit(request, response, passkeysPath, context);
  if (!visit) return;
  const form = formIn(formSchema, visit);
  if (!form) return show(visit, 403, { text: 'staleForm' });
  const problem = await apply(visit, form);
  if (problem) return show(visit, 200, problem);
  redirectDone(visit, passkeysPath, doneBy[form.action]);
};
