import { Amount } from '#money';
import type { HistoryKind, HistoryRecord } from '../../port/exchange.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { ListedEntry, SampleRecord } from './exchange-contract.js';
import { BEGIN, feeOf, historyPartsOf, listed, readAll, sample, unreadable } from './history-rules.js';
import type { Rule } from './rule.js';

/** Reads the history of an account that has only this record. */
async function read(subject: Subject, kind: HistoryKind, record: SampleRecord): Promise<HistoryRecord | undefined> {
  const parts = historyPartsOf(subject);
  let found: HistoryRecord | undefined;
  await ContractBench.run(subject, async ({ open, stub }) => {
    stub.answer(parts.history.listing(kind, listed(parts, kind, [record])));
    [found] = await readAll(await open(), kind, { since: BEGIN, until: BEGIN });
  });
  return found;
}

/** A tag that no other value of a sample contains. */
const TAG = '1918273645';

const facts: Rule = {
  id: 'EX-37',
  title: 'a record of the history has the facts that the exchange reports',
  needs: ['history'],
  checks: (subject) => {
    const parts = historyPartsOf(subject);
    const record = sample(parts);
    const tagged = sample(parts, { tag: TAG });
    const inAnother = sample(parts, { feeAsset: record.asset === 'ETH' ? 'BTC' : 'ETH' });
    const [entry, other] = [record, inAnother].map((one) => JSON.stringify(parts.history.entry('withdrawal', one)));
    return [
      {
        name: 'a withdrawal',
        run: async () => {
          const { asset, network, address, net: amount, at } = record;
          const fee = feeOf(parts, record.fee);
          const feeAsset = fee === null ? null : asset;
          const expected = { asset, network, address, amount, fee, feeAsset, at, status: 'ok' };
          expect(await read(subject, 'withdrawal', record)).toMatchObject(expected);
        },
      },
      {
        name: 'a deposit',
        run: async () => {
          const { asset, network, net: amount, at } = record;
          const deposit = await read(subject, 'deposit', { ...record, fee: Amount.zero });
          expect(deposit).toMatchObject({ asset, network, amount, at, status: 'ok' });
          expect([record.address, null]).toContain(deposit?.address);
        },
      },
      ...(['withdrawal', 'deposit'] as const)
        .filter((kind) => JSON.stringify(parts.history.entry(kind, tagged)).includes(TAG))
        .map((kind) => ({
          name: `the tag of a ${kind}`,
          run: async () =>
            expect(await read(subject, kind, tagged)).toMatchObject({ address: record.address, tag: TAG }),
        })),
      // The entries are equal at an exchange whose records do not state the asset of their fee.
      ...(entry === other
        ? []
        : [
            {
              name: 'no fee for a withdrawal whose fee is in another asset',
              run: async () =>
                expect(await read(subject, 'withdrawal', inAnother)).toMatchObject({ fee: null, feeAsset: null }),
            },
          ]),
    ];
  },
};

const countedEntries: Rule = {
  id: 'EX-36',
  title: 'an entry of the history that cannot be read is counted, and the others are kept',
  needs: ['history'],
  checks: (subject) => {
    const parts = historyPartsOf(subject);
    return [
      {
        name: 'one unreadable entry of two',
        run: () =>
          ContractBench.run(subject, async ({ open, stub }) => {
            const { history } = await open();
            const good = listed(parts, 'withdrawal', [sample(parts)]);
            const bad: ListedEntry = { id: 'bad', at: BEGIN, entry: unreadable(parts) };
            stub.answer(parts.history.listing('withdrawal', [...good, bad]));
            const page = await history?.page('withdrawal', { since: BEGIN, until: BEGIN }, null);
            expect(page).toMatchObject({ unreadable: 1, records: [{ exchangeId: 'first' }] });
          }),
      },
      ...(['net', 'fee'] as const).map((what) => ({
        name: `a negative amount: ${what}`,
        run: () =>
          ContractBench.run(subject, async ({ open, stub }) => {
            const { history } = await open();
            const negative = Amount.zero.minus(sample(parts)[what]);
            const records = [sample(parts), sample(parts, { id: 'odd', clientRef: 'odd', [what]: negative })];
            stub.answer(parts.history.listing('withdrawal', listed(parts, 'withdrawal', records)));
            const page = await history?.page('withdrawal', { since: BEGIN, until: BEGIN }, null);
            const [first, ...others] = page?.records ?? [];
            expect(first).toMatchObject({ exchangeId: 'first' });
            // Some exchanges list what leaves the account, or its fee, as negative amounts.
            for (const { amount, fee } of others)
              expect([amount.isNegative(), fee?.isNegative() ?? false]).toEqual([false, false]);
          }),
      })),
    ];
  },
};

export const recordRules: readonly Rule[] = [facts, countedEntries];
