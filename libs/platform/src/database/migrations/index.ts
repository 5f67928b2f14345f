import { Initial0001 } from './0001-initial.js';
import { Verification0002 } from './0002-verification.js';
import { Workers0003 } from './0003-workers.js';
import { Trading0004 } from './0004-trading.js';
import { Connect0005 } from './0005-connect.js';
import { InvalidWallets0006 } from './0006-invalid-wallets.js';
import { ExchangeNonces0007 } from './0007-exchange-nonces.js';
import { Tags0008 } from './0008-tags.js';
import { TransactionNetwork0009 } from './0009-transaction-network.js';
import { ApiKeyChanges0010 } from './0010-api-key-changes.js';
import { OrderFeeAsset0011 } from './0011-order-fee-asset.js';
import { WithdrawableBalance0012 } from './0012-withdrawable-balance.js';

/** The one linear history of the schema. A new migration goes to the end; a released one never changes. */
export const migrations = [
  Initial0001,
  Verification0002,
  Workers0003,
  Trading0004,
  Connect0005,
  InvalidWallets0006,
  ExchangeNonces0007,
  Tags0008,
  TransactionNetwork0009,
  ApiKeyChanges0010,
  OrderFeeAsset0011,
  WithdrawableBalance0012,
];
