import type { ScamRules } from '@covalence/contract/scam-rules';
import { hourMs, dayMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { setImmediate as turn } from 'node:timers/promises';
import type { Member } from '../../members/document/member.ts';
import { isDeleted, textOf } from '../../members/document/member-values.ts';
import { siteOf } from '../../members/members.ts';
import type { Message } from '../../messages/message-store.ts';
import type { ModerationContext } from '../moderation.ts';
import type { Hit, MessageSignal, Print } from '../store/signal-store.ts';
import { earlierOf, heardFrom, readable, saidUntil, signalsIn, type Said } from './message-signals.ts';
import { scoreOf, versionOf } from './score.ts';
import { settleFlag } from './settle-flags.ts';
import { similarityOf } from '../store/text-prints.ts';

const batch = 200;
const sendersAtOnce = 5;

/** The last messages of a conversation that are read beside those to examine. */
const conversationLength = 10;

/** Messages of the other that are read to see who named something first. */
const mostHeard = 1_000;

/** Earlier texts that a text is compared with, the newest. */
const comparedTexts = 200;

/** Days that a flag is kept. */
const flagDays = 365;

type Signals = ScamRules['signals'];

/**
 * The signals of a message, by its sender's texts until then. Matches that the other member wrote first do
 * not count, so that no answer makes its author suspect.
 */
async function signalsOf(
  { messages }: ModerationContext,
  { id, from, to }: Message,
  said: Said,
  opening: boolean,
  rules: ScamRules,
  writer: Parameters<typeof signalsIn>[3],
) {
  const signals = signalsIn(said, opening, rules, writer);
  if (!signals.length || opening) return signals;
  const texts = await messages.store.textsBefore(to, from, id, mostHeard);
  const heard = texts.length < mostHeard ? heardFrom(texts) : undefined;
  return signalsIn({ ...said, heard }, opening, rules, writer);
}

/** The hits of a message. */
async function hitsOf(
  context: ModerationContext,
  sender: Member,
  rules: ScamRules,
  message: Message,
  conversation: readonly Message[],
): Promise<Hit[]> {
  const { signals: store } = context.moderation;
  const { from, to, at, examine } = message;
  const { signals } = rules;
  const opening = examine?.opening === true;
  const earlier = earlierOf(message, conversation);
  const said = saidUntil(message.text, earlier, []);
  const hit = (signal: MessageSignal): Hit => ({
    _id: store.idOf(from, signal, to),
    member: from,
    signal,
    at,
    expires_at: new Date(at.getTime() + signals[signal].hours * hourMs),
  });
  const writer = { country: textOf(sender, 'country'), url: siteOf(context, sender.siteid).url };
  const found = await signalsOf(context, message, said, opening, rules, writer);
  const print = opening && signals.alike.weight > 0 && printOf(store, said.text, earlier, signals.alike);
  return [...found.map(hit), ...(print ? [{ ...hit('alike'), prints: [print] }] : [])];
}

/** The print of a message. Short messages are compared together, until they are long enough. */
function printOf(
  store: ModerationContext['moderation']['signals'],
  text: string,
  earlier: readonly string[],
  { letters }: Signals['alike'],
): Print | undefined {
  const print = (texts: readonly string[]) => store.printOf(readable(texts.join(' ')), letters);
  return print([text]) ?? (print(earlier) ? undefined : print([...earlier, text]));
}

const areAlike = (one: Hit, other: Hit, similarity: number): boolean =>
  one._id !== other._id &&
  one.prints?.some((print) => other.prints?.some((theirs) => similarityOf(print, theirs) >= similarity)) ===
    true;

/** The conversations whose first messages resemble those of a fresh one, with that one. Requests are handled between the fresh ones. */
export async function resembling(
  hits: readonly Hit[],
  fresh: ReadonlySet<string>,
  similarity: number,
): Promise<Hit[]> {
  const found = new Set<Hit>();
  for (const one of hits.filter(({ _id }) => fresh.has(_id))) {
    await turn();
    const others = hits.filter((other) => areAlike(one, other, similarity));
    for (const each of others.length ? [one, ...others] : []) found.add(each);
  }
  return [...found];
}

/** Marks first messages that resemble each other. */
async function compare(
  { moderation, clock }: ModerationContext,
  sender: number,
  hits: readonly Hit[],
  { alike }: Signals,
): Promise<void> {
  const fresh = new Set(hits.filter(({ signal }) => signal === 'alike').map(({ _id }) => _id));
  if (!fresh.size) return;
  const since = new Date(clock().getTime() - alike.hours * hourMs);
  const prints = await moderation.signals.prints(sender, since, comparedTexts);
  const repeated = (await resembling(prints, fresh, alike.similarity)).filter((each) => !each.repeated);
  if (repeated.length) await moderation.signals.repeat(repeated.map(({ _id }) => _id));
}

/** Flags a member who reaches the threshold. In mode `on` the member waits for staff, who decide. */
async function flagIfDue(context: ModerationContext, member: Member): Promise<void> {
  const { members, moderation, clock } = context;
  const found = await scoreOf(context, member);
  if (!found || found.score < found.rules.threshold) return;
  const open = await moderation.scamFlags.openOf(member._id);
  for (const flag of open) await settleFlag(context, flag);
  // Signals that staff have decided on no longer count.
  const counted = open.length ? await scoreOf(context, member) : found;
  if (!counted || counted.score < counted.rules.threshold) return;
  const { rules, score, reasons } = counted;
  const now = clock();
  const later = (ms: number) => new Date(now.getTime() + ms);
  await moderation.scamFlags.raise({
    member: member._id,
    siteid: member.siteid,
    version: versionOf(rules),
    mode: rules.mode,
    signals: reasons.map(({ signal }) => signal),
    score,
    since: now,
    check_at: later(hourMs),
    until: later(rules.decided_within_days * dayMs),
    expires_at: later(flagDays * dayMs),
  });
  if (rules.mode === 'on')
    await members.store.change(member._id, ({ scam_signals_at, suspended, deleted }) =>
      scam_signals_at || suspended || deleted ? undefined : { scam_signals_at: now },
    );
}

async function examineSender(
  context: ModerationContext,
  sender: Member | undefined,
  sent: readonly Message[],
): Promise<void> {
  const { messages, moderation } = context;
  const rules = sender && siteOf(context, sender.siteid).scam_signals;
  if (sender && rules && !sender.suspended && !isDeleted(sender)) {
    const hits: Hit[] = [];
    for (const [other, due] of Map.groupBy(sent, ({ to }) => to)) {
      const read = conversationLength + due.length;
      const conversation = await messages.store.between(sender._id, other, read);
      const known = new Set(conversation.map(({ id }) => id));
      for (const message of due) {
        // A long text takes milliseconds, in which requests would wait.
        await turn();
        // Others may have been sent after it, so many that it is not among the last.
        const around = known.has(message.id) ? conversation : [message];
        hits.push(...(await hitsOf(context, sender, rules, message, around)));
      }
    }
    await moderation.signals.put(hits);
    await compare(context, sender._id, hits, rules.signals);
    if (hits.length) await flagIfDue(context, sender);
  }
  await messages.store.examined(sent);
}

/** Job: examines messages for signals of scams. Resolves with how many senders failed. */
export async function examineMessages(
  context: ModerationContext,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  const { members, messages, logger, clock } = context;
  const now = clock();
  // Due after this round.
  const nextRound = new Date(now.getTime() + 1);
  let all = 0;
  for (;;) {
    const due = await messages.store.unexamined(now, batch);
    const bySender = Map.groupBy(due, ({ from }) => from);
    const senders = await members.store.byIds([...bySender.keys()]);
    const examine = async ([id, sent]: readonly [number, readonly Message[]]) => {
      const sender = senders.find(({ _id }) => _id === id);
      await examineSender(context, sender, sent).catch(async (error: unknown) => {
        await messages.store.examineLater(sent, nextRound);
        throw error;
      });
    };
    all += await eachPart(bySender, examine, {
      mayGoOn,
      logger,
      left: 'messages not examined: will retry',
      about: ([member]) => ({ member }),
      atOnce: sendersAtOnce,
    });
    if (due.length < batch || !(await mayGoOn())) return all;
  }
}
