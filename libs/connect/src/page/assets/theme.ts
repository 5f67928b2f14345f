/** Least contrast of texts against their background (WCAG 2.2, AA). */
const CONTRAST_MIN = 4.5;
/** The darkest background of texts and links in the light scheme, and the lightest background in the dark scheme. */
const LIGHT_PAPER = '#eef3fb';
const DARK_PAPER = '#1d2633';
const STEP = 0.02;

/**
 * Returns the stylesheet that replaces our colour with a project's colour, darker or lighter where texts would be hard
 * to read.
 */
export function themeCss(color: string): string {
  const light = readable(color, LIGHT_PAPER, 0);
  const dark = readable(color, DARK_PAPER, 255);
  const rules = (accent: string, strong: string, text: string): string =>
    `:root { --accent: ${accent}; --accent-strong: ${strong}; --on-accent: ${text}; }`;
  return [
    rules(light, mix(light, 0, 0.2), '#ffffff'),
    `@media (prefers-color-scheme: dark) { ${rules(dark, mix(dark, 255, 0.2), '#0b1422')} }`,
    '',
  ].join('\n');
}

/** The contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [high = 0, low = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Mixes the colour with black (0) or white (255) until it can be read on the background. */
function readable(color: string, background: string, towards: 0 | 255): string {
  let mixed = color;
  for (let share = 0; share < 1 && contrastOf(mixed, background) < CONTRAST_MIN; share += STEP) {
    mixed = mix(color, towards, share);
  }
  return mixed;
}

function mix(color: string, towards: 0 | 255, share: number): string {
  const parts = partsOf(color).map((part) => Math.round(part + (towards - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function partsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
