import { allPages, firstOfPages, type ListPage } from './cursor-pages.js';

const pages: Readonly<Record<string, ListPage<number>>> = {
  first: { entries: [1, 2], nextCursor: 'second' },
  second: { entries: [], nextCursor: 'third' },
  third: { entries: [3], nextCursor: null },
};

describe('the pages of a list', () => {
  const read: string[] = [];
  const page = (cursor: string | null): Promise<ListPage<number>> => {
    read.push(cursor ?? 'first');
    return Promise.resolve(pages[cursor ?? 'first'] ?? { entries: [], nextCursor: 'endless' });
  };
  beforeEach(() => void read.splice(0));

  it('are read to the end', async () => {
    expect(await allPages('kraken', page)).toEqual([1, 2, 3]);
  });

  it('are unusable when there are too many of them', async () => {
    const endless = (cursor: string | null) =>
      page(null).then(({ entries }) => ({ entries, nextCursor: `${cursor}1` }));
    await expect(allPages('kraken', endless, 7)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('more than 7 pages') as string,
    });
    expect(read).toHaveLength(7);
  });

  it('are unusable when a page returns the same cursor with which it was requested', async () => {
    await expect(allPages('kraken', () => page('endless'))).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('the cursor of its own request') as string,
    });
    expect(read).toHaveLength(2);
  });

  it('are read only up to the first entry by `firstOfPages`', async () => {
    expect(await firstOfPages('kraken', page)).toBe(1);
    expect(await firstOfPages('kraken', (cursor) => page(cursor ?? 'second'))).toBe(3);
    expect(await firstOfPages('kraken', () => Promise.resolve({ entries: [], nextCursor: null }))).toBeNull();
    expect(read).toEqual(['first', 'second', 'third']);
  });
});
