import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { act, notificationsOf, viewQuietMs, type PairAction } from '../../src/pairs/pair-machine.ts';
import { strangers, type Sides, relationOf } from '../../src/pairs/pair.ts';
import { otherOf, rules, unknown, type Who } from '../support/pair-rules.ts';

type Move = readonly [who: Who, action: PairAction];

const start = Date.parse('2026-01-01T00:00:00Z');
const flip = ({ mine, theirs, ...rest }: Sides): Sides => ({ mine: theirs, theirs: mine, ...rest });

/** Plays moves, one second apart; the result is as ann sees it. */
const play = (moves: readonly Move[], from: Sides = strangers): Sides =>
  moves.reduce((sides, [who, action], index) => {
    const at = new Date(start + index * 1000);
    return who === 'ann' ? act(sides, action, at) : flip(act(flip(sides), action, at));
  }, from);

const seenBy = (sides: Sides) => [relationOf(sides).covalence, relationOf(flip(sides)).covalence];

describe('covalence, as ann and as bob see it', () => {
  const cases: [name: string, moves: Move[], seen: string[]][] = [
    ['nothing', [], ['none', 'none']],
    ['a like', [['ann', 'like']], ['liked', 'likedme']],
    [
      'two likes',
      [
        ['ann', 'like'],
        ['bob', 'like'],
      ],
      ['mutual', 'mutual'],
    ],
    [
      'a declined like',
      [
        ['ann', 'like'],
        ['bob', 'decline'],
      ],
      ['declinedme', 'declined'],
    ],
    [
      'a decline replaced',
      [
        ['ann', 'like'],
        ['bob', 'decline'],
        ['bob', 'like'],
      ],
      ['mutual', 'mutual'],
    ],
    ['a decline of nothing', [['bob', 'decline']], ['none', 'none']],
    [
      'a like withdrawn',
      [
        ['ann', 'like'],
        ['ann', 'unlike'],
      ],
      ['unliked', 'none'],
    ],
    [
      'a declined like withdrawn',
      [
        ['ann', 'like'],
        ['bob', 'decline'],
        ['ann', 'unlike'],
      ],
      ['unliked', 'none'],
    ],
    [
      'a connection withdrawn',
      [
        ['ann', 'like'],
        ['bob', 'like'],
        ['bob', 'unlike'],
      ],
      ['liked', 'unliked'],
    ],
    [
      'unlike without a like',
      [
        ['bob', 'like'],
        ['ann', 'unlike'],
      ],
      ['likedme', 'liked'],
    ],
    [
      'like after own unlike',
      [
        ['ann', 'like'],
        ['ann', 'unlike'],
        ['ann', 'like'],
      ],
      ['liked', 'likedme'],
    ],
    [
      'like after the other unliked',
      [
        ['ann', 'like'],
        ['ann', 'unlike'],
        ['bob', 'like'],
      ],
      ['likedme', 'liked'],
    ],
    [
      'connection blocked',
      [
        ['ann', 'like'],
        ['bob', 'like'],
        ['bob', 'block'],
      ],
      ['none', 'none'],
    ],
    [
      'like across a block',
      [
        ['ann', 'block'],
        ['bob', 'like'],
      ],
      ['none', 'none'],
    ],
    [
      'unblocked',
      [
        ['ann', 'like'],
        ['bob', 'like'],
        ['bob', 'block'],
        ['bob', 'unblock'],
      ],
      ['none', 'none'],
    ],
  ];
  it.each(cases)('%s', (_name, moves, seen) => expect(seenBy(play(moves))).toEqual(seen));

  it('keeps times of the initial like and of its answer', () => {
    const { created, answered, isconnection } = relationOf(
      play([
        ['ann', 'like'],
        ['bob', 'like'],
      ]),
    );
    expect([created, answered]).toEqual([new Date(start), new Date(start + 1000)]);
    expect(isconnection).toBe(true);
    expect(relationOf(play([['ann', 'like']]))).toMatchObject({ answered: null, isconnection: false });
    expect(relationOf()).toMatchObject({ created: null, answered: null, isconnection: null });
  });

  it('says who blocked whom', () => {
    const both = play([
      ['ann', 'block'],
      ['bob', 'block'],
    ]);
    expect(relationOf(both).blocked).toBe('both');
    const bobOnly = play([['ann', 'unblock']], both);
    expect([relationOf(bobOnly).blocked, relationOf(flip(bobOnly)).blocked]).toEqual(['you', 'them']);
  });

  it('notifies of a repeated view only after ten minutes', () => {
    const seen = act(strangers, 'view', new Date(start));
    expect(act(seen, 'view', new Date(start + viewQuietMs - 1))).toBe(seen);
    expect(act(seen, 'view', new Date(start + viewQuietMs))).not.toBe(seen);
  });

  it('notifies both of a connection, and the other of a like', () => {
    expect(notificationsOf('like', play([['ann', 'like']]))).toEqual([{ type: 'pair.liked', by: 'mine' }]);
    expect(
      notificationsOf(
        'like',
        play([
          ['bob', 'like'],
          ['ann', 'like'],
        ]),
      ).map(({ by }) => by),
    ).toEqual(['mine', 'theirs']);
  });
});

const moves = fc.array(
  fc.tuple(
    fc.constantFrom<Who>('ann', 'bob'),
    fc.constantFrom<PairAction>(
      'like',
      'decline',
      'unlike',
      'block',
      'unblock',
      'view',
      'report',
      'message',
      'share-photos',
      'unshare-photos',
      'accept-photos',
      'refuse-photos',
    ),
  ),
  { maxLength: 30, size: 'max' },
);

describe('any sequence of actions', () => {
  it('agrees with the table', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        const model = unknown();
        for (const [who, action] of sequence) rules[action](model, who, otherOf(who));
        const sides = play(sequence);
        expect(seenBy(sides)).toEqual([model.cov.ann, model.cov.bob]);
        expect([Boolean(sides.mine.blocked_at), Boolean(sides.theirs.blocked_at)]).toEqual([
          model.blocks.ann,
          model.blocks.bob,
        ]);
        for (const me of ['ann', 'bob'] as const) {
          expect(relationOf(me === 'ann' ? sides : flip(sides))).toMatchObject({
            sending: model.sends[me],
            receiving: model.takes[me],
            theyReceive: model.takes[otherOf(me)],
            seesPrivate: model.sends[otherOf(me)] && model.takes[me],
          });
        }
      }),
      fuzzing(1_000),
    );
  });

  it('ends in a state that repeating the last action does not change', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        const last = sequence.at(-1);
        if (!last) return;
        const sides = play(sequence);
        const [who, action] = last;
        const view = who === 'ann' ? sides : flip(sides);
        expect(act(view, action, new Date(start + 60_000))).toBe(view);
      }),
      fuzzing(),
    );
  });

  it('is symmetric: mutual for both or for neither, and blocked from both sides', () => {
    const mirrored = { none: 'none', both: 'both', you: 'them', them: 'you' };
    fc.assert(
      fc.property(moves, (sequence) => {
        const sides = play(sequence);
        const [ann, bob] = [relationOf(sides), relationOf(flip(sides))];
        expect(ann.covalence === 'mutual').toBe(bob.covalence === 'mutual');
        expect(mirrored[ann.blocked]).toBe(bob.blocked);
        expect([ann.created, ann.answered, ann.isconnection]).toEqual([
          bob.created,
          bob.answered,
          bob.isconnection,
        ]);
      }),
      fuzzing(),
    );
  });
});
