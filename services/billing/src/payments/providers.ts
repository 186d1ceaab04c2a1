import type { Connection } from 'mongoose';
import type { PaymentProvider } from './provider.ts';
import { createSandboxChargeStore } from './sandbox-charge-store.ts';
import { createSandboxProvider } from './sandbox-provider.ts';

/** Names that `PAYMENT_PROVIDERS` may list. */
export const providerNames = ['sandbox'] as const;

/** The name of a payment provider: in the setting, in the ledger and in the path of its web-hooks. */
export type ProviderName = (typeof providerNames)[number];

const makers: Readonly<Record<ProviderName, (connection: Connection) => PaymentProvider>> = {
  sandbox: (connection) => createSandboxProvider(createSandboxChargeStore(connection)),
};

/** The payment providers of a deployment. */
export interface PaymentProviders {
  /** Takes new purchases: the first that is listed; undefined where none is, and nothing can be bought. */
  readonly current: PaymentProvider | undefined;
  /** The names of those that are listed. */
  readonly names: readonly string[];
  /** A provider by its name; undefined where it is not listed, and so is asked for nothing. */
  find(name: string): PaymentProvider | undefined;
  /** Asks every provider to forget an erased member, also those that are not listed any more. Idempotent. */
  forget(member: number): Promise<void>;
}

/** Creates the providers on the service's database, of which those listed are used. */
export function createProviders(listed: readonly ProviderName[], connection: Connection): PaymentProviders {
  const all = new Map(providerNames.map((name) => [name, makers[name](connection)]));
  const used = new Map<string, PaymentProvider>(
    listed.flatMap((name) => {
      const provider = all.get(name);
      return provider ? [[name, provider] as const] : [];
    }),
  );
  const [current] = used.values();
  return {
    current,
    names: [...used.keys()],
    find: (name) => used.get(name),
    async forget(member) {
      await Promise.all([...all.values()].map((provider) => provider.forget(member)));
    },
  };
}
