import fc from 'fast-check';
import { contrastOf, themeCss } from './theme.js';

const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

const accents = (css: string): (string | undefined)[][] =>
  [...css.matchAll(/--accent: (#\w{6}); --accent-strong: (#\w{6}); --on-accent: (#\w{6});/g)].map((found) =>
    found.slice(1),
  );

describe('the stylesheet of a colour', () => {
  it('gives texts enough contrast in both colour schemes, whatever the colour is', () => {
    fc.assert(
      fc.property(color, (given) => {
        const [light = [], dark = []] = accents(themeCss(given));
        for (const [[accent = '', strong = '', text = ''], papers] of [
          [light, ['#ffffff', '#f4f6f8', '#eef3fb']],
          [dark, ['#181c23', '#0f1217', '#1d2633']],
        ] as const) {
          for (const paper of papers) expect(contrastOf(accent, paper)).toBeGreaterThanOrEqual(4.5);
          for (const fill of [accent, strong]) expect(contrastOf(text, fill)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it('keeps a colour that has enough contrast', () => {
    expect(themeCss('#0a5c46')).toContain('--accent: #0a5c46;');
  });

  it('measures contrast as WCAG 2.2 defines it', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
  });
});
