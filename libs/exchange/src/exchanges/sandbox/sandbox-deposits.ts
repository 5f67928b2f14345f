import type { DepositCapability, DepositMethod, ReceivingAddress } from '../../port/deposit.port.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { assetNetwork } from '../../networks/asset-network.js';
import type { Network } from '../../networks/networks.js';
import { hasAddresses, unsafeAddress, safeAddress, withRequiredTags } from '../../networks/receiving-address.js';
import {
  readDepositAddresses,
  readDepositMethod,
  readDepositMethodEntries,
  type SandboxDepositMethod,
} from './sandbox-responses.js';
import type { SandboxClient } from './sandbox-client.js';
import { networkIdOf } from './sandbox-networks.js';

/** The API's codes for an asset without deposit methods. */
const NO_METHODS: ReadonlySet<string | undefined> = new Set(['asset_not_supported', 'network_not_supported']);

/** The deposit addresses of one account of the partner API. Each asset and network has one permanent address. */
export class SandboxDeposits implements DepositCapability {
  constructor(private readonly client: SandboxClient) {}

  async methods(asset: string): Promise<DepositMethod[]> {
    const methods = await this.client
      .get('/deposit-methods', { asset }, (body) =>
        this.client.lists.read('deposit-methods', readDepositMethodEntries(body), readDepositMethod),
      )
      .catch((error: unknown): SandboxDepositMethod[] => {
        if (meansNoMethod(error)) return [];
        throw error;
      });
    return methods.filter((method) => method.asset === asset).map(toDepositMethod);
  }

  async addresses(method: DepositMethod): Promise<ReceivingAddress[]> {
    const { asset, exchangeMethodId: id, tagType } = method;
    const { id: networkId, addressRegex } = this.networkOf(method);
    if (!hasAddresses(networkId)) return [];
    const addresses = await this.client
      .get('/deposit-addresses', { asset, network: id }, readDepositAddresses)
      .catch((error: unknown) => {
        throw meansNoMethod(error) ? this.refused('DEPOSIT_METHODS_UNAVAILABLE', method, error) : error;
      });
    const { exchange } = this.client;
    const sound = addresses.map(({ address, tag, expiresAt, ...of }) => {
      if (of.asset !== asset || of.network !== id) throw unsafeAddress(exchange, 'it is for another method');
      return { ...safeAddress(exchange, { address, tag }, { addressRegex, tagType }), expiresAt };
    });
    return withRequiredTags(exchange, sound, () => tagType !== null);
  }

  private networkOf(method: DepositMethod): Network {
    const { asset, exchangeMethodId } = method;
    const network = assetNetwork({ asset, networkId: networkIdOf(exchangeMethodId) });
    if (network === null || network.id !== method.network) throw this.refused('DEPOSIT_METHOD_NOT_RESOLVED', method);
    return network;
  }

  private refused(
    code: 'DEPOSIT_METHODS_UNAVAILABLE' | 'DEPOSIT_METHOD_NOT_RESOLVED',
    { asset, exchangeMethodId }: DepositMethod,
    cause?: unknown,
  ): ExchangeError {
    const message = `the exchange accepts no deposits of ${asset} by the method ${exchangeMethodId}`;
    return new ExchangeError('refused', this.client.exchange, message, { code, cause });
  }
}

function toDepositMethod({ asset, network, tagType, minimum, fee, limit }: SandboxDepositMethod): DepositMethod {
  return {
    asset,
    network: assetNetwork({ asset, networkId: networkIdOf(network) })?.id ?? null,
    exchangeMethodId: network,
    tagType,
    minimum,
    fee,
    limit,
    canGenerateAddress: false,
  };
}

function meansNoMethod(error: unknown): boolean {
  return error instanceof ExchangeError && error.kind === 'refused' && NO_METHODS.has(error.rawCode);
}
