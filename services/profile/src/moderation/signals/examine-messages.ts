import type { ScamRules } from '@covalence/contract/scam-rules';
import { hourMs, dayMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { setImmediate as turn } from 'node:timers/promises';
import type { Member } from '../../members/document/member.ts';
import { isDeleted, textOf } from '../../members/document/member-values.ts';
import { siteOf } from '../../members/members.ts';
import type { Message } from '../../messages/message-store.ts';
import type { ModerationContext } from '../moderation.ts';
import type { Hit, MessageSignal } from '../signal-store.ts';
import { similarityOf } from '../text-prints.ts';
import { heardFrom, saidUntil, signalsIn, type Said } from './message-signals.ts';
import { scoreOf, versionOf } from './score.ts';
import { settleFlag } from './settle-flags.ts';

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
  const said = saidUntil(message, conversation, []);
  const { text, sent, before } = said;
  const printOf = (each = '') => store.printOf(each, signals.alike.letters);
  const hit = (signal: MessageSignal): Hit => ({
    _id: store.idOf(from, signal, to),
    member: from,
    signal,
    at,
    expires_at: new Date(at.getTime() + signals[signal].hours * hourMs),
  });
  const writer = { country: textOf(sender, 'country'), url: siteOf(context, sender.siteid).url };
  // Short messages are compared together, until they are long enough.
  const print =
    opening && signals.alike.weight > 0
      ? (printOf(text) ?? (printOf(before[0]) ? undefined : printOf(sent[0])))
      : undefined;
  return [
    ...(await signalsOf(context, message, said, opening, rules, writer)).map(hit),
    ...(print ? [{ ...hit('alike'), print }] : []),
  ];
}

/** Marks first messages that resemble each other. */
async function compare(
  { moderation, clock }: ModerationContext,
  sender: number,
  hits: readonly Hit[],
  { alike }: Signals,
): Promise<void> {
  const fresh = hits.filter(({ signal }) => signal === 'alike').map(({ _id }) => _id);
  if (!fresh.length) return;
  const since = new Date(clock().getTime() - alike.hours * hourMs);
  const prints = await moderation.signals.prints(sender, since, comparedTexts);
  const isAlike = (one: Hit, other: Hit) =>
    one._id !== other._id && similarityOf(one.print ?? [], other.print ?? []) >= alike.similarity;
  const repeated = new Set(
    prints
      .filter(({ _id }) => fresh.includes(_id))
      .flatMap((one) => {
        const others = prints.filter((other) => isAlike(one, other));
        return others.length ? [one, ...others] : [];
      })
      .filter((each) => !each.repeated)
      .map(({ _id }) => _id),
  );
  if (repeated.size) await moderation.signals.repeat([...repeated]);
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
  const { members, messages, logger } = context;
  for (;;) {
    const due = await messages.store.unexamined(batch);
    const bySender = Map.groupBy(due, ({ from }) => from);
    const senders = await members.store.byIds([...bySender.keys()]);
    const failed = await eachPart(
      bySender,
      ([id, sent]) =>
        examineSender(
          context,
          senders.find(({ _id }) => _id === id),
          sent,
        ),
      {
        mayGoOn,
        logger,
        left: 'messages not examined; the next round retries',
        about: ([member]) => ({ member }),
        atOnce: sendersAtOnce,
      },
    );
    if (failed || due.length < batch || !(await mayGoOn())) return failed;
  }
}
