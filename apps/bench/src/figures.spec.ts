import { plot } from './figures.js';

it('plots only the benchmark rows whose ratio is a number', () => {
  const row = { ours: '', bare: '' };
  const rows = [
    { ...row, what: 'a < b & c', ratio: '0.50' },
    { ...row, what: 'twice', ratio: '2.00' },
    { ...row, what: 'not measured', ratio: '' },
    { ...row, what: 'not a number', ratio: '–' },
  ];
  const svg = plot({ name: 'case', measured: '', rows });
  expect(svg).toContain('a &lt; b &amp; c');
  const widths = [...svg.matchAll(/<rect x="470" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([75, 300]);
  expect(svg).not.toContain('not measured');
  expect(svg).not.toContain('not a number');
});
