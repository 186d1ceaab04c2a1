import { endedSeconds } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { ClientStore } from '../../clients/client-store.ts';
import type { AdmissionStore } from './admission-store.ts';
import type { EndedFamily, FamilyStore } from './family-store.ts';

/** What ending families works on. */
export interface EndContext {
  readonly families: FamilyStore;
  readonly admission: AdmissionStore;
  readonly logger: Logger;
  readonly now: Clock;
}

const told = (ended: readonly EndedFamily[]) =>
  ended.map(({ _id, subject }) => ({ id: _id, member: subject?.id ?? 0 }));

/** The database is the truth: where Redis is away nothing fails, and the housekeeping repeats it. */
async function tellAdmission(work: Promise<void>, logger: Logger): Promise<void> {
  await work.catch((error: unknown) => logger.warn({ err: error }, 'admission will be told again'));
}

/** Ends a family: its refresh token at once and its access tokens at admission. Safe to repeat. */
export async function endFamily(id: string, { families, admission, logger, now }: EndContext): Promise<void> {
  const ended = await families.end(id, now());
  if (ended) await tellAdmission(admission.endFamilies(told([ended])), logger);
}

/** Ends every family of an account but `spared`. Safe to repeat. */
export async function endFamiliesOf(
  accountId: string,
  spared: string | undefined,
  { families, admission, logger, now }: EndContext,
): Promise<void> {
  const ended = await families.endAllOf(accountId, spared, now());
  await tellAdmission(admission.endFamilies(told(ended)), logger);
}

/** Tells admission of a client application that was disabled or enabled. */
export async function tellOfClient(
  clientId: string,
  disabled: boolean,
  { admission, logger }: Pick<EndContext, 'admission' | 'logger'>,
): Promise<void> {
  await tellAdmission(admission.setClientEnded(clientId, disabled), logger);
}

/**
 * Tells admission again of everything that was ended lately, and of the clients that were let in again: what failed while Redis was
 * away, or was lost with its memory.
 */
export async function repeatEnded({
  families,
  admission,
  clients,
  now,
}: EndContext & { readonly clients: ClientStore }): Promise<void> {
  const since = new Date(now().getTime() - endedSeconds * 1000);
  await admission.endFamilies(told(await families.endedSince(since)));
  for (const { _id, disabled, disabled_at } of await clients.all()) {
    if (disabled_at && (!disabled || disabled_at >= since)) await admission.setClientEnded(_id, disabled);
  }
}
