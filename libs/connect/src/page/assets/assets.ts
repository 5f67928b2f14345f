import { createHash } from 'node:crypto';
import { script } from './script.js';
import { style } from './style.js';
import { SERVICE } from '../texts/service.js';

/** A file of the page. Its name contains a hash of its content, so that browsers may cache it for ever. */
export interface Asset {
  name: string;
  type: string;
  text: string;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export const stylesheet: Asset = { name: `${digest(style)}.css`, type: 'text/css; charset=utf-8', text: style };
export const clientScript: Asset = {
  name: `${digest(script)}.js`,
  type: 'text/javascript; charset=utf-8',
  text: script,
};

/**
 * Draws a plain monogram, because logos of exchanges are their trademarks. The colour is dark enough for white letters
 * at every hue.
 */
export function logoOf({ id, name }: { id: string; name: string }): string {
  const hue = createHash('sha256').update(id).digest().readUInt16BE() % 360;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">',
    `<rect width="64" height="64" rx="15" fill="hsl(${hue} 42% 33%)"/>`,
    '<text x="32" y="33" fill="#fff" font-family="system-ui, Segoe UI, Roboto, Liberation Sans, sans-serif" ',
    `font-size="34" font-weight="600" text-anchor="middle" dominant-baseline="central">${initialOf(name)}</text>`,
    '</svg>',
  ].join('');
}

/** Returns the first letter or digit of a name. Letters and digits never need escaping. */
export function initialOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '•';
}

const iconText = logoOf({ id: 'causeway', name: SERVICE });
export const icon: Asset = { name: `${digest(iconText)}.svg`, type: 'image/svg+xml', text: iconText };

export const etagOf = (text: string): string => `"${digest(text)}"`;
