import { statementsOverProjects, tenantTables } from '#platform/testing';

/**
 * The files with statements over all projects, with their number and the reason. A statement that has lost its project
 * raises the number of its file.
 */
const overAllProjects: readonly (readonly [file: string, statements: number, reason: string])[] = [
  ['libs/platform/src/database/database.ts', 1, 'deletes nothing: it checks the rights of the role'],
  ['libs/platform/src/events/event-outbox.ts', 1, 'the worker publishes the events of all projects'],
  ['libs/platform/src/events/measure-events.ts', 1, 'a metric of the installation'],
  ['libs/trading/src/following/orders-in-doubt.metrics.ts', 2, 'a metric of the installation'],
  ['libs/transaction/src/history/find-assets.ts', 1, 'the conditions begin with the project (SHOWN)'],
  ['libs/transaction/src/history/list-transactions.ts', 4, 'the conditions begin with the project (conditionsOf)'],
  ['libs/transaction/src/sync/transaction-rows.ts', 2, 'the rows state their project'],
  [
    'libs/wallet/src/deleting/delete-wallet.ts',
    1,
    'the condition is the project with the id of its caller, or the wallet’s own id',
  ],
  ['libs/wallet/src/reading/list-wallets.ts', 2, 'the conditions begin with the project'],
  ['libs/withdrawal/src/epoch/restored-database.ts', 1, 'after a restore, all open withdrawals are checked'],
  ['libs/withdrawal/src/operator/exchange-history.ts', 1, 'an operator compares an exchange with all projects'],
  ['libs/withdrawal/src/operator/settle-withdrawal.ts', 1, 'no two withdrawals of any project have one record'],
  ['libs/withdrawal/src/verification/sealed-challenges.ts', 1, 'counts what is sealed with each key of the vault'],
  ['libs/withdrawal/src/withdrawals/unsettled-withdrawals.metrics.ts', 2, 'metrics of the installation'],
  ['libs/withdrawal/src/withdrawals/withdrawal-store.ts', 1, 'one exchange record belongs to one withdrawal only'],
];

describe('a statement on a table with a project', () => {
  it('has tables to check', () => {
    expect(tenantTables()).toEqual(expect.arrayContaining(['wallets', 'orders', 'withdrawals', 'transactions']));
  });

  it('names the project, or an id that is unique among all projects, apart from the listed files', () => {
    const counts = new Map<string, number>();
    for (const { file } of statementsOverProjects('libs')) counts.set(file, (counts.get(file) ?? 0) + 1);
    const listed = new Map(overAllProjects.map(([file, statements]) => [file, statements]));
    const files = [...new Set([...counts.keys(), ...listed.keys()])].sort();
    const compared = (of: ReadonlyMap<string, number>) => files.map((file) => `${file}: ${of.get(file) ?? 0}`);
    expect(compared(counts)).toEqual(compared(listed));
  });
});
