import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Transport, listNetworks, networkById } from '#exchange';
import { Config, InvalidConfig, misspelledSettings } from '#platform/config';
import { LOGGER, type Logger } from '#platform/logging';
import { LOOK_UPS_MAX, SEARCH_WINDOW_MS, type Chain } from './chain.js';
import { EsploraChain } from './esplora-chain.js';
import { JsonRpcChain } from './json-rpc-chain.js';

/** Largest response of a chain API that is read. */
const RESPONSE_MAX_BYTES = 2_097_152;
/** Maximum number of pages of an address that one search reads. */
const SEARCH_PAGES = 4;

/** The chains that this installation can query: those with a configured address and a supported protocol. */
@Injectable()
export class Chains implements OnApplicationShutdown {
  private readonly transport: Transport;
  private readonly chains = new Map<string, Chain>();

  /** @throws InvalidConfig for an address of an unknown network, and for a misspelled name of an address. */
  constructor(
    private readonly config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    const { values, chainUrls } = config;
    const networkIds = listNetworks().map(({ id }) => id);
    const misspelled = misspelledSettings(config, 'ENRICHMENT', networkIds);
    if (misspelled.length > 0) throw new InvalidConfig(misspelled);
    this.transport = new Transport({
      connectTimeoutMs: values.ENRICHMENT_TIMEOUT_MS,
      responseMaxBytes: RESPONSE_MAX_BYTES,
      connections: LOOK_UPS_MAX,
    });
    for (const [network, url] of Object.entries(chainUrls)) {
      const chain = this.open(network, url);
      if (chain !== null) this.chains.set(network, chain);
      else
        logger.warn(
          { network },
          'the setting ENRICHMENT_<NETWORK>_URL of a network is ignored, because Causeway can read only EVM chains (JSON-RPC) and chains like Bitcoin (Esplora)',
        );
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.transport.close();
  }

  /** Finds a chain by our id of the network; null = this installation cannot query the chain. */
  find(network: string): Chain | null {
    return this.chains.get(network) ?? null;
  }

  networks(): string[] {
    return [...this.chains.keys()];
  }

  private open(id: string, url: string): Chain | null {
    const network = networkById(id);
    if (network === null)
      throw new InvalidConfig([
        `ENRICHMENT_${id.toUpperCase().replaceAll('-', '_')}_URL: Causeway knows no network ${id}`,
      ]);
    const { values } = this.config;
    const endpoint = { network: id, url, timeoutMs: values.ENRICHMENT_TIMEOUT_MS, transport: this.transport };
    const [namespace] = network.caip2?.split(':') ?? [];
    if (namespace === 'eip155') return new JsonRpcChain(endpoint);
    if (namespace !== 'bip122') return null;
    const search = { windowMs: SEARCH_WINDOW_MS, pages: SEARCH_PAGES };
    return new EsploraChain(endpoint, network, search);
  }
}
