import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import { ExchangeError, resolveNetworkId, type WithdrawalCapability, type WithdrawalNetwork } from '#exchange';
import { Amount } from '#money';
import { NotFound } from '#platform/errors';
import { Wallets, WalletSessions } from '#wallet';
import { InfoAssetRequired, InfoFeeExchangeNotSupported, NetworkNotSupported } from '../withdrawal.errors.js';

export interface FeeQuestion {
  asset?: string;
  network?: string;
  amount?: Amount;
}

export interface NetworkFee {
  network: WithdrawalNetwork;
  /** Null where it is told in a quote alone. */
  fee: Amount | null;
  /** Whether it is the same for every amount. */
  isFixed: boolean;
}

export interface FeeInfo {
  asset: string;
  exchange: string;
  networks: NetworkFee[];
}

/** Withdrawal fees and bounds of an asset without a quote. */
@Injectable()
export class GetFeeInfo {
  constructor(
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
  ) {}

  /** @throws the errors of `Wallets.get` and of `WalletSessions.use` beside its own. */
  async execute(project: ProjectContext, walletId: string, question: FeeQuestion): Promise<FeeInfo> {
    if (question.asset === undefined || question.asset === '') throw new InfoAssetRequired();
    const asset = question.asset.toUpperCase();
    const wallet = await this.wallets.get(project, walletId);
    const networks = await this.sessions.use(wallet, { autoDelete: false }, async ({ withdrawals }) => {
      if (withdrawals === undefined) throw new InfoFeeExchangeNotSupported(wallet.exchange);
      const asked = networksAsked(asset, question.network, await withdrawals.networks(asset));
      const fees: NetworkFee[] = [];
      for (const network of asked) fees.push(await feeOn(network, question.amount, withdrawals));
      return fees;
    });
    return { asset, exchange: wallet.exchange, networks };
  }
}

function networksAsked(asset: string, name: string | undefined, networks: WithdrawalNetwork[]): WithdrawalNetwork[] {
  if (networks.length === 0) throw new NotFound(`Asset ${asset}`);
  if (name === undefined) return networks;
  const id = resolveNetworkId(name);
  const named = networks.filter((network) => network.id === id);
  if (named.length > 0) return named;
  throw new NetworkNotSupported(
    asset,
    name,
    networks.map((network) => network.id),
  );
}

/** The price list's fee; where it has none, what the exchange estimates for the amount. */
async function feeOn(
  network: WithdrawalNetwork,
  amount: Amount | undefined,
  withdrawals: WithdrawalCapability,
): Promise<NetworkFee> {
  if (network.fee !== null) return { network, fee: network.fee, isFixed: true };
  if (amount === undefined || amount.decimalPlaces() > network.decimals) return { network, fee: null, isFixed: false };
  try {
    // No address is known yet; exchanges that cannot estimate without one refuse.
    const intent = { asset: network.asset, network, address: '', tag: null, amount, includeFee: false };
    return { network, fee: (await withdrawals.estimate(intent)).fee, isFixed: false };
  } catch (error) {
    if (error instanceof ExchangeError && error.kind === 'refused') return { network, fee: null, isFixed: false };
    throw error;
  }
}
