import { stopDigestLink } from '../../mail/send-digest.ts';
import { linkPage } from '../link-page.ts';
import type { HostedPage } from '../sign-in-context.ts';

/** /digest/:token: turns the digest off, for the button and for the mail program of a reader (RFC 8058). */
export const stopDigestPage: HostedPage = {
  ...linkPage({
    kind: stopDigestLink,
    read: (link) => link,
    question: () => ({ title: 'stopDigest', text: 'stopDigestWhy', button: 'stopDigestButton' }),
    async confirm({ account }, { context }) {
      await context.profile.stopDigest({ member_id: account._id });
      return ['digestStopped', 'digestStoppedWhy'];
    },
  }),
  ignoresBody: true,
};
