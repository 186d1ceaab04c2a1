import { Group, Modal, Title, type ModalProps } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';

/** A dialog. Its title is a heading: the library's own header would be a second banner of the page. */
export function Dialog({
  title,
  children,
  ...props
}: Pick<ModalProps, 'opened' | 'onClose' | 'size' | 'children'> & { readonly title: string }) {
  const { text } = useTexts();
  return (
    <Modal.Root {...props}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body>
          <Group justify="space-between" mb="sm" wrap="nowrap">
            <Title order={2} size="h4">
              {title}
            </Title>
            <Modal.CloseButton aria-label={text('layout.close')} />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
