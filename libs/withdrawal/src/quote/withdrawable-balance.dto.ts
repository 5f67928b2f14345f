import { amountKinds, withdrawableOf, type AmountKind, type AssetBalance, type WithdrawalNetwork } from '#exchange';
import { ApiField, ApiOptionalField, IntegerQuery } from '#platform/http';
import { ApiUnread, shownUnread, type UnreadAccountResponse } from '#wallet';
import { AutoDeleteQuery } from './auto-delete.dto.js';
import type { WithdrawableBalances } from './withdrawable-balance.js';

export class WithdrawableBalanceQuery extends AutoDeleteQuery {
  @IntegerQuery({
    description:
      'Accepted age of stored balances, in whole minutes. Older balances are read from the exchange again. 0 always calls the exchange. ' +
      'If `Cache-Control` has `max-age`, too, the smaller of the two ages applies.',
    minimum: 0,
    default: 0,
    example: 5,
  })
  balanceRefreshThreshold?: number;

  @IntegerQuery({
    description: 'Another name of `balanceRefreshThreshold`, which takes precedence.',
    minimum: 0,
    default: 0,
    example: 5,
  })
  refreshThresholdMinutes?: number;
}

export class WithdrawalNetworkResponse {
  @ApiField('Network id, as in quotes.', { example: 'bitcoin' })
  id: string;

  @ApiField('Name of the network.', { example: 'Bitcoin' })
  name: string;

  @ApiField('Name under which the exchange shows this network.', { example: 'Bitcoin' })
  displayName: string;

  @ApiField('Smallest amount that can be debited, as a decimal string; "0" = unknown.', { example: '0.0001' })
  minWithdrawal: string;

  @ApiField(
    'Largest amount that can be debited, as a decimal string; the free balance where the exchange has no bound.',
    { example: '5' },
  )
  maxWithdrawal: string;

  @ApiField('Name of the asset on this network, as the exchange writes it.', { example: 'XBT' })
  assetName: string;

  @ApiField(
    'Regular expression (RE2 syntax) that the destination address must match as a whole. Some exchanges accept fewer forms of addresses; the quote refuses the others.',
    { example: '^(bc1(q[02-9ac-hj-np-z]{38}|[qp][02-9ac-hj-np-z]{58})|[13][1-9A-HJ-NP-Za-km-z]{25,34})$' },
  )
  addressRegex: string;

  @ApiOptionalField('CAIP-2 id of the chain (chainagnostic.org); null where none is established.', {
    type: String,
    nullable: true,
    example: 'bip122:000000000019d6689c085ae165831e93',
  })
  chainId: string | null;

  @ApiOptionalField(
    'Contract of the asset on this network; null when unknown, and for a coin on its own chain. Use it only for comparison: money that is sent to it may be lost.',
    { type: String, nullable: true, example: null },
  )
  tokenAddress: string | null;
}

/** The amounts of one asset as decimal strings. */
export class ExactWithdrawableAssetResponse {
  @ApiField('`amount` as a decimal string.', { example: '5' })
  amount: string;

  @ApiOptionalField('`amountInFiat` as a decimal string; absent when `amountInFiat` is absent.', { example: '590000' })
  amountInFiat?: string;
}

export class AccountAmountResponse {
  @ApiField('Name of the account, as the exchange writes it.', { example: 'trading' })
  account: string;

  @ApiField(
    'What keeps the amount from being withdrawn. `free`: the account pays no withdrawals, and the owner can move the ' +
      'amount; `earning`: it earns interest until the owner ends this; `locked`: the owner cannot use it now, such as ' +
      'staked assets; `owed`: the owner owes it to the exchange; `sub_account`: the owner has it in a sub-account, and it ' +
      'is in no sum of the wallet.',
    { enum: amountKinds, example: 'free' },
  )
  kind: AmountKind;

  @ApiField('The amount, as a decimal string.', { example: '0.25' })
  amount: string;
}

export class WithdrawableAssetResponse {
  @ApiField('Asset symbol.', { example: 'BTC' })
  asset: string;

  @ApiField(
    'Free balance that can be withdrawn now, in the asset: the amount that is not reserved by orders or withdrawals. ' +
      'Fees are paid from it. Balances in accounts from which the exchange pays no withdrawals are in `elsewhere`.',
    { example: 5 },
  )
  amount: number;

  @ApiOptionalField('`amount` in US dollars; absent when no price is known.', { example: 590000 })
  amountInFiat?: number;

  @ApiOptionalField(
    'Amounts of the same owner at the exchange that cannot be withdrawn now, and debts; absent when there are none. ' +
      'A withdrawal can use them only after the owner has moved them or ended their term.',
    { type: () => [AccountAmountResponse] },
  )
  elsewhere?: AccountAmountResponse[];

  @ApiOptionalField(
    'True when the last sync could not read an amount of the asset. The amounts are then those of the last sync that ' +
      'could, and a withdrawal of the asset is refused. Absent otherwise.',
    { example: true },
  )
  isPartial?: boolean;

  @ApiField('Networks on which the asset can be withdrawn; empty for assets that cannot be withdrawn, such as fiat.', {
    type: [WithdrawalNetworkResponse],
  })
  networks: WithdrawalNetworkResponse[];

  @ApiField('The amounts as decimal strings, because a JSON number may lose digits.', {
    type: () => ExactWithdrawableAssetResponse,
  })
  exact: ExactWithdrawableAssetResponse;
}

export class WithdrawableBalanceResponse {
  @ApiField('When these balances were read from the exchange (ISO 8601, UTC).', {
    type: 'string',
    format: 'date-time',
    example: '2026-01-01T12:00:00.000Z',
  })
  lastSyncAt: string;

  @ApiField('Assets with a free balance, or with an amount in `elsewhere`, by symbol.', {
    type: [WithdrawableAssetResponse],
  })
  balances: WithdrawableAssetResponse[];

  @ApiUnread()
  unread?: UnreadAccountResponse[];
}

export function toWithdrawableBalanceResponse({
  lastSyncAt,
  balances,
  unread,
}: WithdrawableBalances): WithdrawableBalanceResponse {
  return {
    lastSyncAt: lastSyncAt.toISOString(),
    balances: balances.map(({ balance, amountInFiat, networks }) => ({
      asset: balance.asset,
      amount: withdrawableOf(balance).toJsonNumber(),
      amountInFiat: amountInFiat?.toJsonNumber(),
      elsewhere: balance.elsewhere?.map(({ amount, ...rest }) => ({ ...rest, amount: amount.toString() })),
      networks: networks.map((network) => toNetworkResponse(network, balance)),
      isPartial: balance.isPartial,
      exact: { amount: withdrawableOf(balance).toString(), amountInFiat: amountInFiat?.toString() },
    })),
    unread: shownUnread(unread),
  };
}

function toNetworkResponse(network: WithdrawalNetwork, balance: AssetBalance): WithdrawalNetworkResponse {
  return {
    id: network.id,
    name: network.name,
    displayName: network.displayName,
    minWithdrawal: (network.minWithdrawal ?? '0').toString(),
    maxWithdrawal: (network.maxWithdrawal ?? withdrawableOf(balance)).toString(),
    assetName: network.assetName,
    addressRegex: network.addressRegex,
    chainId: network.chainId,
    tokenAddress: network.tokenAddress,
  };
}
