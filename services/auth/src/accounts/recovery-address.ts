import type { Account } from './account-store.ts';

/** The address that mails go to by which a member gets back into the account; '' for staff. */
export const recoveryAddress = ({ email }: Account): string => email;
