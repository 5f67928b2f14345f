import { walletTables } from '../../../cli/src/wallet-data/wallet-data.js';
import { readMigratedTables } from './migrated-tables.js';

describe('the catalogue of the data of wallets', () => {
  it('states for every table whether its rows are exported, erased or kept', () => {
    expect(Object.keys(walletTables).sort()).toEqual(readMigratedTables());
  });

  it('exports no table with sealed credentials', () => {
    const exported = Object.keys(walletTables).filter((table) => walletTables[table]?.isExported);
    expect(exported.filter((table) => /credentials|grants|secrets|keys|identities/.test(table))).toEqual([]);
  });
});
