import { irisColors, shade } from './palette.ts';
import type { PortraitTraits } from './portrait-traits.ts';
import { ellipse, line, mirrored, shape } from './svg.ts';

const faces: Readonly<Record<PortraitTraits['face'], string>> = {
  oval: 'M172 205 C170 140 205 108 250 108 C295 108 330 140 328 205 C328 268 296 326 250 326 C204 326 172 268 172 205 Z',
  round:
    'M168 208 C166 142 203 110 250 110 C297 110 334 142 332 208 C334 276 300 324 250 324 C200 324 166 276 168 208 Z',
  square:
    'M172 203 C170 140 205 108 250 108 C295 108 330 140 328 203 C329 250 324 280 302 306 C286 322 268 328 250 328 C232 328 214 322 198 306 C176 280 171 250 172 203 Z',
  heart:
    'M170 202 C168 140 204 108 250 108 C296 108 332 140 330 202 C329 252 300 300 274 320 C262 330 238 330 226 320 C200 300 171 252 170 202 Z',
};

/** Head and ears without any features. */
export function drawHead({ face, skin }: PortraitTraits): string {
  const ear =
    ellipse(169, 226, 15, 23, skin) + line('M166 216 C160 224 162 234 170 238', shade(skin, -0.18), 3);
  return mirrored(ear) + shape(faces[face], skin);
}

const eyebrow = ({ brows, hair, age }: PortraitTraits): string => {
  const color = shade(hair, age > 60 ? 0.1 : -0.22);
  const curves = {
    soft: line('M196 191 C206 183 222 182 236 188', color, 6.5),
    arched: line('M195 192 C206 178 222 177 237 187', color, 6),
    straight: line('M195 188 C208 184 222 184 237 188', color, 8),
    thick: line('M194 189 C206 181 222 181 238 187', color, 10.5),
  };
  return curves[brows];
};

const eye = ({ eyes, gender, mouth, age }: PortraitTraits): string => {
  const lash = '#2b2222';
  const open = mouth === 'laugh' ? 9.5 : age > 60 ? 10 : 11.5;
  const lashes =
    gender === 'Female'
      ? line('M201 211 C206 200 230 199 237 211 M203 208 L197 203 M207 204 L203 198', lash, 3.6)
      : line('M202 211 C208 201 229 201 236 211', lash, 3.2);
  return (
    ellipse(219, 213, 16.5, open, '#fffdfa') +
    ellipse(219, 213, 8.8, 9.2, irisColors[eyes]) +
    ellipse(219, 213, 4.4, 4.6, '#17120f') +
    ellipse(222.4, 209.4, 2.5, 2.5, '#ffffff') +
    lashes
  );
};

const noses: Readonly<Record<PortraitTraits['nose'], string>> = {
  soft: 'M242 250 C246 257 256 257 260 250',
  straight: 'M253 230 C251 239 246 246 242 250 C246 257 256 258 261 252',
  broad: 'M236 250 C237 259 247 256 250 259 C253 256 263 259 264 250',
  long: 'M254 222 C252 238 244 248 240 254 C246 262 257 262 262 256',
};

const mouths: Readonly<Record<PortraitTraits['mouth'], (lip: string, dark: string) => string>> = {
  smile: (lip) => line('M222 280 C235 296 265 296 278 280', lip, 6),
  calm: (lip) => line('M228 285 C240 290 260 290 272 285', lip, 6),
  smirk: (lip) => line('M226 286 C240 293 260 291 277 278', lip, 6),
  grin: (lip, dark) =>
    shape('M216 277 C232 283 268 283 284 277 C280 301 264 308 250 308 C236 308 220 301 216 277 Z', dark) +
    shape(
      'M220 279 C236 284 264 284 280 279 C279 289 274 294 250 294 C226 294 221 289 220 279 Z',
      '#ffffff',
    ) +
    line('M216 277 C232 284 268 284 284 277', lip, 4.5),
  laugh: (lip, dark) =>
    shape('M214 274 C232 280 268 280 286 274 C284 306 266 318 250 318 C234 318 216 306 214 274 Z', dark) +
    shape(
      'M219 276 C236 281 264 281 281 276 C280 286 275 290 250 290 C225 290 220 286 219 276 Z',
      '#ffffff',
    ) +
    ellipse(250, 310, 17, 8, '#d97b7b') +
    line('M214 274 C232 281 268 281 286 274', lip, 4.5),
};

const lines = ({ age, skin }: PortraitTraits): string => {
  const ink = shade(skin, -0.2);
  const folds =
    age > 44 ? mirrored(line('M208 258 C202 266 200 274 202 282', ink, 2.6, { opacity: 0.75 })) : '';
  const crows =
    age > 52 ? mirrored(line('M190 208 L181 203 M190 214 L180 215', ink, 2.4, { opacity: 0.75 })) : '';
  const brow =
    age > 58
      ? line('M222 158 C240 153 260 153 278 158 M226 144 C242 140 258 140 274 144', ink, 2.4, {
          opacity: 0.7,
        })
      : '';
  const bags =
    age > 62 ? mirrored(line('M206 231 C214 236 226 236 233 231', ink, 2.4, { opacity: 0.7 })) : '';
  return folds + crows + brow + bags;
};

const freckle = ({ skin }: PortraitTraits): string =>
  mirrored(
    [
      [200, 240],
      [209, 246],
      [218, 241],
      [205, 252],
      [226, 248],
      [214, 254],
    ]
      .map(([x = 0, y = 0]) => ellipse(x, y, 2.2, 2.2, shade(skin, -0.25), { opacity: 0.7 }))
      .join(''),
  );

/** Eyes, brows, nose, mouth and what the years have drawn. */
export function drawFeatures(traits: PortraitTraits): string {
  const { skin, gender, age, mouth, nose } = traits;
  const blush = mirrored(
    ellipse(198, 254, 17, 11, '#e2615a', { opacity: gender === 'Female' ? 0.16 : 0.07 }),
  );
  const bearded = traits.beard === 'short' || traits.beard === 'full' || traits.beard === 'goatee';
  const lip = gender === 'Female' ? lipColor(traits) : bearded ? '#b3665c' : shade(skin, -0.36);
  return [
    blush,
    traits.freckles ? freckle(traits) : '',
    age > 44 ? lines(traits) : '',
    mirrored(eyebrow(traits) + eye(traits)),
    line(noses[nose], shade(skin, -0.18), 3.8),
    mouths[mouth](lip, '#6d2230'),
  ].join('');
}

const lipColor = ({ skin, age }: PortraitTraits) =>
  age > 62
    ? shade(skin, -0.3)
    : ({ '#5b351f': '#8e3b3f', '#6b3f25': '#943f44', '#7b4a2c': '#9b4347' }[skin] ?? '#c25560');
