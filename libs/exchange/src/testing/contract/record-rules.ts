import type { HistoryRecord } from '../../port/exchange.port.js';
import { ContractBench, type Subject } from './contract-bench.js';
import type { SampleRecord } from './exchange-contract.js';
import { BEGIN, feeOf, historyPartsOf, listed, readAll, sample } from './history-rules.js';
import type { Rule } from './rule.js';

/** Reads the history of an account that has only this withdrawal. */
async function read(subject: Subject, record: SampleRecord): Promise<HistoryRecord | undefined> {
  const parts = historyPartsOf(subject);
  let found: HistoryRecord | undefined;
  await ContractBench.run(subject, async ({ open, stub }) => {
    stub.answer(parts.history.listing('withdrawal', listed(parts, 'withdrawal', [record])));
    [found] = await readAll(await open(), 'withdrawal', { since: BEGIN, until: BEGIN });
  });
  return found;
}

const facts: Rule = {
  id: 'EX-37',
  title: 'a record of the history has the facts that the exchange reports',
  needs: ['history'],
  checks: (subject) => {
    const parts = historyPartsOf(subject);
    const record = sample(parts);
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
          expect(await read(subject, record)).toMatchObject(expected);
        },
      },
      // The entries are equal at an exchange whose records do not state the asset of their fee.
      ...(entry === other
        ? []
        : [
            {
              name: 'no fee for a withdrawal whose fee is in another asset',
              run: async () => expect(await read(subject, inAnother)).toMatchObject({ fee: null, feeAsset: null }),
            },
          ]),
    ];
  },
};

export const recordRules: readonly Rule[] = [facts];
