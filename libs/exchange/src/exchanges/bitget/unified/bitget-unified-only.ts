import { ListedDeposits } from '../../../capabilities/listed-deposits.js';
import { readOtherAccounts } from '../../../capabilities/other-accounts.js';
import { declareExchange } from '../../../client/declared-connector.js';
import type { ExchangeDeclaration } from '../../../declaration/exchange-declaration.js';
import { bitgetUnifiedAccounts } from '../bitget-accounts.js';
import { networksOf } from '../bitget-shared.js';
import { bitgetUnifiedErrors } from './bitget-unified-errors.js';
import { unifiedParts } from './bitget-unified.js';
import { bitget } from '../bitget.js';

const { withdrawals: _none, ...spec } = bitget.spec;

/** For tests: Bitget whose sessions use nothing but the API for unified accounts (v3). They make no withdrawals. */
export const bitgetUnifiedOnly: ExchangeDeclaration = declareExchange({
  ...bitget,
  spec,
  errors: bitgetUnifiedErrors.calls,
  connect: (client) => {
    const { balances, keyInfo, history, trading, addresses } = unifiedParts(client);
    const networks = networksOf(client);
    return {
      balances,
      otherAccounts: (own) => readOtherAccounts(client, bitgetUnifiedAccounts, own),
      assetNames: networks.assetNames,
      keyInfo,
      history,
      trading,
      deposits: new ListedDeposits(client, networks, { addresses }),
    };
  },
});
