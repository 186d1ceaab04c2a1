import { z } from 'zod';
import { maxPasskeys } from '../../accounts/passkey-store.ts';
import { accountPaths } from '../../tokens/provider/hosted-pages-client.ts';
import type { Visit } from '../browser-account.ts';
import { memberPage } from '../member-page.ts';
import { passkeyNameMaximum, passkeysPage, type PasskeysPage } from '../pages/passkey-pages.ts';
import type { MemberPage } from '../pages/member-page.ts';
import type { Problem } from '../pages/respond.ts';
import { removeSignInMethod } from '../methods/sign-in-methods.ts';
import { acceptedPasskeys } from '../webauthn/ceremony.ts';
import { addPasskey, newPasskey } from '../methods/add-passkey.ts';
import { isSettled } from '../methods/recovery.ts';

const id = z.string().max(1_400);

const formSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('add'),
    credential: z.string(),
    challenge: z.string().max(1_024),
  }),
  z.object({ action: z.literal('rename'), id, name: z.string().max(1_000) }),
  z.object({ action: z.literal('remove'), id }),
]);

/** A name as pages can show it. */
const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(passkeyNameMaximum)
  .regex(/^[^\p{Cc}\p{Cf}]*$/u);

/** A problem of a form, and the name in error. */
type NameProblem = Problem & Pick<PasskeysPage, 'wrong'>;

/** A new passkey is for the session that the page was shown to. */
const boundTo = ({ session }: Visit): string => `account:${session.uid}`;

const doneBy = { add: 'passkeyDone', rename: 'passkeyRenamed', remove: 'passkeyUndone' } as const;

/** Applies a form; the problem, if there is one. */
async function apply(visit: Visit, form: z.output<typeof formSchema>): Promise<NameProblem | undefined> {
  const { account, context } = visit;
  const { passkeys } = context.accounts;
  if (form.action === 'add') {
    const isAdded = await addPasskey(visit, account, { ...form, bound: boundTo(visit) });
    return isAdded ? undefined : { problem: 'passkeyNotAdded' };
  }
  if (form.action === 'rename') {
    const { data: name } = nameSchema.safeParse(form.name);
    if (name === undefined) return { problem: 'fieldInvalid', wrong: form };
    await passkeys.rename(account, form.id, name);
    return undefined;
  }
  return (await removePasskey(visit, form.id)) ? undefined : { problem: 'lastSignInMethod' };
}

/** Removes a passkey, unless nothing else signs the member in. False when it is the last sign-in method. */
async function removePasskey(visit: Visit, passkeyId: string): Promise<boolean> {
  const { account, context, presentation } = visit;
  const passkey = account.passkeys?.find((one) => one.id === passkeyId);
  if (!passkey) return true;
  return removeSignInMethod(visit, {
    list: 'passkeys',
    id: passkeyId,
    what: passkey.name || presentation.text('passkey'),
    isSettled: isSettled(passkey.created_at, context),
  });
}

/** /account/passkeys: the passkeys of the signed-in member: adds, renames or removes one. */
export const managePasskeysPage = memberPage({
  path: accountPaths.passkeys,
  form: formSchema,
  async page(visit, shown: MemberPage & Pick<PasskeysPage, 'wrong'>) {
    const { account, presentation, context } = visit;
    const { passkeys = [], passkey_user: user } = account;
    const hasRoom = passkeys.length < maxPasskeys;
    const added = hasRoom ? await newPasskey(account, boundTo(visit), presentation, context) : undefined;
    const accepted = user && JSON.stringify(acceptedPasskeys(context, user, passkeys));
    return passkeysPage(presentation, { ...shown, passkeys, accepted, added });
  },
  take: async (visit, form) => (await apply(visit, form)) ?? { done: doneBy[form.action] },
});
