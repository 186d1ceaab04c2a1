import { coversEars } from './hair.ts';
import type { PortraitTraits } from './portrait-traits.ts';
import { ellipse, line, mirrored } from './svg.ts';

const frames: Readonly<Record<Exclude<PortraitTraits['glasses'], 'none'>, string>> = {
  round:
    mirrored(
      `<circle cx="218" cy="214" r="29" fill="#ffffff" fill-opacity="0.16" stroke="#33291f" stroke-width="4.5"/>` +
        line('M189 210 L172 205', '#33291f', 4.5),
    ) + line('M247 211 C249 207 251 207 253 211', '#33291f', 4.5),
  square:
    mirrored(
      `<rect x="188" y="193" width="58" height="43" rx="10" fill="#ffffff" fill-opacity="0.16" stroke="#23232b" stroke-width="6.5"/>` +
        line('M188 206 L171 203', '#23232b', 6),
    ) + line('M246 208 C249 205 251 205 254 208', '#23232b', 6),
  thin:
    mirrored(
      `<rect x="190" y="196" width="56" height="36" rx="17" fill="#ffffff" fill-opacity="0.14" stroke="#a9853f" stroke-width="3"/>` +
        line('M190 209 L172 205', '#a9853f', 3),
    ) + line('M246 210 C249 206 251 206 254 210', '#a9853f', 3),
};

/** Glasses and earrings. */
export function drawAccessories({ glasses, earrings, hairStyle }: PortraitTraits): string {
  const seen = earrings !== 'none' && !coversEars.includes(hairStyle);
  const ring =
    earrings === 'studs'
      ? ellipse(166, 249, 5, 5, '#e3b34a')
      : `<circle cx="166" cy="264" r="14" fill="none" stroke="#e3b34a" stroke-width="4"/>`;
  return (seen ? mirrored(ring) : '') + (glasses === 'none' ? '' : frames[glasses]);
}
