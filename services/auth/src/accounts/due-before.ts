import type { Connection } from 'mongoose';
import type { Account, DueMail } from './account.ts';

type Documents = ReturnType<typeof Connection.prototype.collection<Account>>;

/** Accounts with mails that are due, read at a time. */
const duePage = 100;

/** The ids of accounts with mails of a kind that are due since before `date`, in pages, those that wait longest first. */
export async function* dueBefore(documents: Documents, kind: DueMail, date: Date): AsyncIterable<string[]> {
  let from = new Date(0);
  let asked: string[] = [];
  for (;;) {
    const page = await documents
      .find({ [kind]: { $gte: from, $lt: date }, _id: { $nin: asked } }, { projection: { [kind]: 1 } })
      .sort({ [kind]: 1 })
      .limit(duePage)
      .toArray();
    yield page.map(({ _id }) => _id);
    const last = page.at(-1)?.[kind];
    if (page.length < duePage || !last) return;
    // Of those at the same moment some may not have been in this page.
    const atLast = page.flatMap(({ _id, [kind]: at }) => (at?.getTime() === last.getTime() ? _id : []));
    asked = last.getTime() === from.getTime() ? [...asked, ...atLast] : atLast;
    from = last;
  }
}
