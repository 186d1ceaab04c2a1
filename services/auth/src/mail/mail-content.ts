import { digestKinds } from '@covalence/contract/notification-kinds';
import { z } from 'zod';
import { textNames, type TextName } from '../localization/presentation.ts';

type SubjectOf<Name> = Name extends `${infer Subject extends TextName}Why` ? Subject : never;

/** The topic of a mail: the name of its subject. Its text has the same name with `Why`. */
export type Topic = SubjectOf<Extract<TextName, `mail${string}Why`>>;

const names: ReadonlySet<string> = new Set(textNames);

const topics = textNames.filter((name): name is Topic => name.startsWith('mail') && names.has(`${name}Why`));

/** Content of a mail as it is queued. */
export const mailContent = z.object({
  topic: z.enum(topics),
  to: z.string(),
  username: z.string(),
  /** Values in the text. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** A further sentence. */
  also: z.literal('othersEnded').optional(),
  /** URL of the button. */
  link: z.string().optional(),
  /** The number of new items, by kind. */
  counts: z.partialRecord(z.enum(digestKinds), z.int()).optional(),
  /** Lines of a statement of reasons, of the outcome of an appeal, or of a warning of fraud. */
  lines: z
    .array(z.object({ text: z.enum(textNames), values: z.record(z.string(), z.string()).optional() }))
    .optional(),
  /** URL that ends such mails. */
  stop: z.string().optional(),
  /** The requested locale, when it is not the member's. */
  locale: z.string().optional(),
});

/** Content of a mail. */
export type MailContent = z.output<typeof mailContent>;
