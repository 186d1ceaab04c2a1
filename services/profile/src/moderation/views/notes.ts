import { booleanParameter, profileidInPath } from '@covalence/contract/parameters';
import { normalizedText } from '@covalence/contract/normalized-text';
import { Failure } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import { pageOf } from '../../members/page.ts';
import type { ModerationContext } from '../moderation.ts';
import type { Note } from '../store/note-store.ts';
import { openMember } from '../open-member.ts';
import { memberOf, onMember, staffPageInput } from '../staff-call.ts';

const longestNote = 2_000;
/** Notes about one member. */
const mostNotes = 500;

const noteSchema = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    staff_id: z.uuid(),
    text: z.string().meta({ examples: ['Called about the refund of March.'] }),
    about_others: z.boolean(),
  })
  .meta({ id: 'StaffNote' });

const shown = ({ id, at, staff, text, about_others }: Note): z.output<typeof noteSchema> => ({
  id,
  at: at.toISOString(),
  staff_id: staff,
  text,
  about_others,
});

/** POST /staff/members/{id}/notes */
export const addNote = endpoint({
  access: 'staff',
  staff: onMember('moderator', 'support'),
  operationId: 'addStaffNote',
  summary: 'Add a note about a member',
  description:
    'A note for colleagues, which is not changed later. The member gets it with the export, without the author, unless it is about other people. 409 if there are 500 already.',
  answer: 'The note.',
  example: { request: { id: '1002', text: 'Called about the refund of March.' } },
  statuses: [409],
  input: z.object({
    id: profileidInPath,
    text: normalizedText(longestNote, 1).meta({ description: 'The note.' }),
    about_others: booleanParameter
      .default(false)
      .meta({ type: 'boolean', default: false, description: 'The note is about other people.' }),
  }),
  output: noteSchema,
  handler: async ({ input: { id, text, about_others }, caller }, context: ModerationContext) => {
    const { notes } = context.moderation;
    const { _id: member } = await memberOf(context, id);
    if ((await notes.count(member)) >= mostNotes) throw new Failure(409, 'Too Many Notes');
    const note = { id: v7(), member, staff: caller.memberId, at: context.clock(), text, about_others };
    await notes.add(note);
    return shown(note);
  },
});

/** GET /staff/members/{id}/notes */
export const listNotes = endpoint({
  access: 'staff',
  staff: onMember('moderator', 'support'),
  operationId: 'listStaffNotes',
  summary: 'List the notes about a member',
  description: 'Newest first. Counts as GET /staff/members/{id} does (429).',
  answer: 'A page of notes.',
  example: { request: { id: '1002' } },
  input: staffPageInput,
  output: z
    .object({ id: z.int(), entries: z.array(noteSchema), next: z.uuid().nullable() })
    .meta({ id: 'StaffNotes' }),
  handler: async ({ input, caller }, context: ModerationContext) => {
    const { _id } = await memberOf(context, input.id);
    await openMember(context, _id, caller.memberId);
    const found = await context.moderation.notes.of(_id, input.pagesize + 1, input.cursor);
    const { entries, next } = pageOf(found, input.pagesize, ({ id }) => id);
    return { id: _id, entries: entries.map(shown), next };
  },
});
