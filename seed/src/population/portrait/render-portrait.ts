import sharp from 'sharp';

/** The edge length that a drawing has by itself. */
const drawn = 500;

// What libvips may load is a setting of the whole process, and the photo service, which a test may run beside this, keeps
// SVG out. The drawings read here are our own.
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });

/** A drawing as a square JPEG of `size` pixels. Rejects where the SVG does not parse. */
export function renderPortrait(svg: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: (72 * size) / drawn })
    .resize(size, size)
    .jpeg({ quality: 82, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
