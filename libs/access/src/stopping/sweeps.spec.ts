import { dueStatements } from '#platform/testing';

/** The only sweeps that also take rows of stopped projects and wallets, by their file, with the reason. */
const ALSO_STOPPED: Readonly<Record<string, string>> = {
  'libs/withdrawal/src/withdrawals/withdrawal-store.ts': 'the money of an open withdrawal may have left; it is settled',
  'libs/trading/src/orders/order-store.ts': 'an open order may be executed; it is followed to its end',
  'libs/wallet/src/deleting/erase-kept-credentials.ts': 'credentials are erased in time, whoever owns them',
  'libs/wallet/src/deleting/erase-deleted-projects.ts': 'erases the wallets of deleted projects',
  'libs/webhook/src/endpoints/erase-deleted-projects.ts': 'erases the endpoints of deleted projects',
  'libs/webhook/src/received/received-notices.ts': 'a notice only makes wallets due, for the time after a resumption',
  'libs/platform/src/lifecycle/expired-rows.ts': 'deletes rows by their age',
  'libs/wallet/src/balances/balance-store.ts': 'stores what the exchange has answered; the sweep has taken the wallets',
  'libs/wallet/src/wallets/wallets.service.ts': 'begins to track histories; the sweep of histories reads them',
  'libs/wallet/src/refusals/other-keys.ts': 'leaves out stopped projects by the columns of `projects`',
};
/** Statements beside a sweep in the same file. Each acts on one row that a caller or a sweep has chosen. */
const OF_ONE_ROW = /where id = \$1 and|where due\.endpoint_id = \$1/;

describe('the sweeps of workers', () => {
  const statements = dueStatements().filter(({ sql }) => !OF_ONE_ROW.test(sql));
  const files = new Set(statements.map(({ file }) => file));

  it('are found in the code', () => {
    expect(files.size).toBeGreaterThan(10);
  });

  it.each(statements.map(({ file, sql }) => [file, sql]))(
    'leave out stopped projects and wallets, or have a reason to take them: %s',
    (file, sql) => {
      const leavesOut = /\bstopped_(?:projects|wallets)\b/.test(sql);
      expect([sql, leavesOut || ALSO_STOPPED[file] !== undefined]).toEqual([sql, true]);
    },
  );

  it('have no reason in vain', () => {
    expect(Object.keys(ALSO_STOPPED).filter((file) => !files.has(file))).toEqual([]);
  });
});
