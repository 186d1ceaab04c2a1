import { decode } from 'blurhash';
import { useEffect, useRef } from 'react';
import classes from './photo.module.css';

/** Pixels of the drawing, which is stretched. */
const edge = 32;

/** The colors of a photo, until its file is there. */
export function Placeholder({ blurhash }: { readonly blurhash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pixels = new Uint8ClampedArray(decode(blurhash, edge, edge));
    canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, edge, edge), 0, 0);
  }, [blurhash]);
  return <canvas ref={canvas} width={edge} height={edge} className={classes.placeholder} aria-hidden />;
}
