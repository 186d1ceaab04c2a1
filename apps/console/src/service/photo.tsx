import { Badge, Button, Card, Group, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { components } from '@covalence/client/api';
import { decode } from 'blurhash';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../layout/dialog.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './photo.module.css';
import { useVeil } from './veil.ts';

/** A photo as staff get it. */
type Photo = Pick<
  components['schemas']['StaffPhoto'],
  'id' | 'urlstem' | 'extension' | 'max1600' | 'square250' | 'caption'
> &
  Partial<
    Pick<components['schemas']['StaffPhoto'], 'status' | 'private' | 'primary' | 'flagged' | 'blurhash'>
  >;

/** The address of a photo's file. */
export const photoFile = ({ urlstem, extension, ...sizes }: Photo, size: 'max1600' | 'square250') =>
  `${urlstem}${sizes[size] ?? ''}${extension}`;

/** Pixels of the drawing, which is stretched. */
const edge = 32;

/** The colors of a photo, until its file is there. */
function Placeholder({ blurhash }: { readonly blurhash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pixels = new Uint8ClampedArray(decode(blurhash, edge, edge));
    canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, edge, edge), 0, 0);
  }, [blurhash]);
  return <canvas ref={canvas} width={edge} height={edge} className={classes.placeholder} aria-hidden />;
}

/** The photo itself, veiled as the person has chosen; what is probably hard to see is blurred first. */
export function PhotoImage({
  photo,
  size,
  isHard = photo.flagged === true || photo.status === 'rejected',
}: {
  readonly photo: Photo;
  readonly size: 'max1600' | 'square250';
  readonly isHard?: boolean | undefined;
}) {
  const { text } = useTexts();
  const { veil } = useVeil();
  const shown = size === 'square250' && isHard ? 'blurred' : veil;
  const [isLoaded, setIsLoaded] = useState(false);
  return (
    <span className={classes.holder}>
      {photo.blurhash !== undefined && !isLoaded && <Placeholder blurhash={photo.blurhash} />}
      <img
        className={[classes.photo, size === 'max1600' ? classes.large : classes.thumb, classes[shown]].join(
          ' ',
        )}
        src={photoFile(photo, size)}
        alt={photo.caption || text('service.photoOf', { id: photo.id ?? 0 })}
        referrerPolicy="no-referrer"
        onLoad={() => setIsLoaded(true)}
      />
    </span>
  );
}

/** Switches the display of photos: original, gray, or blurred. */
export function VeilButton() {
  const { text } = useTexts();
  const { veil, change } = useVeil();
  return (
    <Button variant="default" size="compact-sm" onClick={change}>
      {text(`service.veil.${veil}`)}
    </Button>
  );
}

/** A small photo that opens large. */
function PhotoCard({ photo, isHard }: { readonly photo: Photo; readonly isHard?: boolean | undefined }) {
  const { text } = useTexts();
  const [isOpen, { open, close }] = useDisclosure(false);
  const title = text('service.photoOf', { id: photo.id ?? 0 });
  return (
    <Card withBorder p="xs">
      <UnstyledButton
        onClick={open}
        aria-label={text('service.enlarge', { photo: title })}
        className={classes.frame}
      >
        <PhotoImage photo={photo} size="square250" isHard={isHard} />
      </UnstyledButton>
      <Group gap={4} mt={4}>
        {photo.status && (
          <Badge size="sm" variant="default">
            {text(`service.photo.${photo.status}`)}
          </Badge>
        )}
        {photo.primary && (
          <Badge size="sm" variant="default">
            {text('service.photo.primary')}
          </Badge>
        )}
        {photo.private && (
          <Badge size="sm" variant="default">
            {text('service.photo.private')}
          </Badge>
        )}
        {photo.flagged && (
          <Badge size="sm" color="yellow.4">
            {text('service.photo.banned')}
          </Badge>
        )}
      </Group>
      {photo.caption && <Text size="sm">{photo.caption}</Text>}
      <Dialog opened={isOpen} onClose={close} title={title} size="auto">
        <PhotoImage photo={photo} size="max1600" />
      </Dialog>
    </Card>
  );
}

/** Photos side by side; `isHard`: all of them are probably hard to see. */
export function Photos({ photos, isHard }: { readonly photos: readonly Photo[]; readonly isHard?: boolean }) {
  const { text } = useTexts();
  if (!photos.length) return <Text c="dimmed">{text('service.nothing')}</Text>;
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 4, xl: 6 }}>
      {photos.map((photo) => (
        <PhotoCard key={photo.id} photo={photo} isHard={isHard} />
      ))}
    </SimpleGrid>
  );
}
