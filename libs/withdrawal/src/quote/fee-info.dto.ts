import { IsOptional, IsString, Length, Matches, ValidateIf } from 'class-validator';
import { ASSET_LENGTH_MAX, NETWORK_LENGTH_MAX, exampleExchange } from '#exchange';
import { Amount, INPUT_AMOUNT_MESSAGE, INPUT_AMOUNT_PATTERN } from '#money';
import { ApiField, ApiOptionalField } from '#platform/http';
import { amountProblems, type AmountProblem, type FeeInfo, type FeeQuestion } from './fee-info.js';

export class FeeInfoQuery {
  @ApiField('Asset symbol, as in quotes. Missing or empty gives INFO_ASSET_REQUIRED.', {
    example: 'BTC',
    maxLength: ASSET_LENGTH_MAX,
  })
  // A missing or empty asset is not validated here, because it has an error code of its own.
  @ValidateIf(({ asset }: FeeInfoQuery) => asset !== undefined && asset !== '')
  @Length(1, ASSET_LENGTH_MAX)
  @IsString()
  asset?: string;

  @ApiOptionalField(
    'Network id; common names (ERC20, TRC20) are understood, case does not matter. Left out: all networks of the asset.',
    { example: 'bitcoin', minLength: 1, maxLength: NETWORK_LENGTH_MAX },
  )
  @IsOptional()
  @Length(1, NETWORK_LENGTH_MAX)
  @IsString()
  network?: string;

  @ApiOptionalField(
    'Amount that should arrive, in the asset, as a plain decimal greater than zero. Where the fee depends on the amount, the exchange estimates it for this amount. `amountProblem` shows the networks on which it cannot be withdrawn.',
    { example: '0.01', pattern: INPUT_AMOUNT_PATTERN.source },
  )
  @IsOptional()
  @Matches(/[1-9]/, { message: 'amount must be greater than zero' })
  @Matches(INPUT_AMOUNT_PATTERN, { message: INPUT_AMOUNT_MESSAGE })
  @IsString()
  amount?: string;
}

/** The amounts of one network as decimal strings. */
export class ExactNetworkFeeResponse {
  @ApiField('`fee` as a decimal string; null when `fee` is null.', { type: String, nullable: true, example: '0.00005' })
  fee: string | null;

  @ApiField('`minimumWithdrawal` as a decimal string.', { example: '0.0001' })
  minimumWithdrawal: string;

  @ApiField('`maximumWithdrawal` as a decimal string; null when `maximumWithdrawal` is null.', {
    type: String,
    nullable: true,
    example: '5',
  })
  maximumWithdrawal: string | null;
}

export class NetworkFeeResponse {
  @ApiField('Network id, as in quotes.', { example: 'bitcoin' })
  network: string;

  @ApiField(
    'Withdrawal fee in units of `feeAsset`. null only in these cases: the exchange shows the fee only in a quote; it charges the fee in another asset; its price list has no fee, and no amount was given, the amount cannot be withdrawn, or more than three networks would need an estimate (then name one network).',
    { type: 'number', nullable: true, example: 0.00005 },
  )
  fee: number | null;

  @ApiField('Asset in which the fee is charged.', { example: 'BTC' })
  feeAsset: string;

  @ApiField('`fixed`: the same for every amount. `variable`: depends on the amount or the moment.', {
    enum: ['fixed', 'variable'],
    example: 'fixed',
  })
  feeType: string;

  @ApiField('Smallest amount that can be debited, in the asset; 0 = unknown.', { example: 0.0001 })
  minimumWithdrawal: number;

  @ApiField('Largest amount that can be debited at once, in the asset; null = unknown.', {
    type: 'number',
    nullable: true,
    example: 5,
  })
  maximumWithdrawal: number | null;

  @ApiField(
    'Why `amount` cannot be withdrawn on this network: it has more digits after the point than the network accepts, or the debited amount (with the fee) is out of bounds. null = no known problem, or no amount was given.',
    { type: 'string', enum: [...amountProblems, null], nullable: true, example: null },
  )
  amountProblem: AmountProblem | null;

  @ApiField('The amounts as decimal strings, because a JSON number may lose digits.', {
    type: () => ExactNetworkFeeResponse,
  })
  exact: ExactNetworkFeeResponse;
}

export class FeeInfoResponse {
  @ApiField('Asset symbol.', { example: 'BTC' })
  asset: string;

  @ApiField('Exchange identifier.', { example: exampleExchange.id })
  exchange: string;

  @ApiField('Fees and the smallest and largest amount, by network.', { type: [NetworkFeeResponse] })
  networks: NetworkFeeResponse[];
}

export function toFeeQuestion({ asset, network, amount }: FeeInfoQuery): FeeQuestion {
  return { asset, network, amount: amount === undefined ? undefined : Amount.parseInput(amount) };
}

export function toFeeInfoResponse({ asset, exchange, networks }: FeeInfo): FeeInfoResponse {
  return {
    asset,
    exchange,
    networks: networks.map(({ network, fee, isFixed, amountProblem }) => ({
      network: network.id,
      fee: fee?.toJsonNumber() ?? null,
      feeAsset: network.feeAsset,
      feeType: isFixed ? 'fixed' : 'variable',
      minimumWithdrawal: network.minWithdrawal?.toJsonNumber() ?? 0,
      maximumWithdrawal: network.maxWithdrawal?.toJsonNumber() ?? null,
      amountProblem,
      exact: {
        fee: fee?.toString() ?? null,
        minimumWithdrawal: (network.minWithdrawal ?? Amount.zero).toString(),
        maximumWithdrawal: network.maxWithdrawal?.toString() ?? null,
      },
    })),
  };
}
