import { TextInput, type TextInputProps } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';

/** Characters of a note. */
export const noteLength = 200;

/** The note on what is published or tried. */
export function NoteField({
  note,
  onChange,
  ...props
}: Pick<TextInputProps, 'description' | 'flex'> & {
  readonly note: string;
  readonly onChange: (note: string) => void;
  readonly 'data-autofocus'?: boolean;
}) {
  const { text } = useTexts();
  return (
    <TextInput
      {...props}
      label={text('search.note')}
      maxLength={noteLength}
      value={note}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
