import { linkPage } from '../link-page.ts';
import { cancelLink, stopRecovery } from '../methods/recovery.ts';

/** /password/:token/cancel: the mailed links of the recovery stop working. A link of an earlier one says that it is old. */
export const cancelRecoveryPage = linkPage({
  kind: cancelLink,
  read: (link) => link,
  question: () => ({ title: 'cancelRecovery', text: 'cancelRecoveryWhy', button: 'cancelRecovery' }),
  async confirm({ account, id }, { request, context }) {
    if (account.recovery && account.recovery.id !== id) return 'worthless';
    await stopRecovery(account, id, request.ip ?? '', context);
    return ['recoveryCanceled', 'recoveryCanceledWhy'];
  },
});
