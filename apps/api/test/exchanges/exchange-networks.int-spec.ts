import {
  addressMatches,
  type Exchanges,
  networkById,
  resolveNetworkId,
  type DepositCapability,
  type ExchangeCredentials,
  type ExchangeSession,
} from '#exchange';
import { createExchanges } from '#exchange/testing';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { binanceChain } from '../../../sandbox-exchange/src/binance/endpoints.js';
import { bybitChain } from '../../../sandbox-exchange/src/bybit/endpoints.js';
import { assets } from '../../../sandbox-exchange/src/data/assets.js';
import { depositMethods } from '../../../sandbox-exchange/src/data/deposit-methods.js';
import { methods, type FundingMethod } from '../../../sandbox-exchange/src/data/networks.js';
import { kucoinChain } from '../../../sandbox-exchange/src/kucoin/currencies.js';
import { okxChain } from '../../../sandbox-exchange/src/okx/endpoints.js';
import type { ChainName } from '../../../sandbox-exchange/src/rest/networks.js';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';
import { Sandbox, type SandboxAccount } from '../support/sandbox.js';

interface Case {
  id: string;
  credentials: (account: SandboxAccount) => ExchangeCredentials;
  /** The exchange's id of the network; null = the connector must offer no withdrawals by it. */
  withdrawalMethodOf: (method: FundingMethod) => string | null;
  listedDeposits: { asset: string; name: string; network: string | null }[];
  /** Deposit methods, by asset and name, whose network the connector cannot know: it returns `network: null`. */
  unknown: string[];
  /** Networks, by asset and name, that the connector never offers, although the exchange does. */
  withheld: string[];
  /** Assets whose addresses come without the tag that our table of networks requires: the connector refuses them. */
  untagged: string[];
  /** The connector must offer more networks for withdrawals than this. An empty list therefore fails the test. */
  least: number;
}

/** Assets and networks for which the exchange moves a wrapped coin. A wrapped coin is not the asset itself. */
const WRAPPED = ['ETH Polygon'];

/** Returns our network id for a method's network; null for a wrapped coin and for a network that we do not know. */
const truthOf = ({ assetCode, network }: { assetCode: string; network: string }): string | null =>
  WRAPPED.includes(`${assetCode} ${network}`) ? null : resolveNetworkId(network);

const codes = assets.map(({ code }) => code);
const isOpen = (code: string, closed: string[]): boolean =>
  !closed.includes(assets.find((asset) => asset.code === code)?.status ?? '');
const ofAsset = (code: string): FundingMethod[] => methods.filter(({ assetCode }) => assetCode === code);
/** Derives the network id as the partner API of the sandbox exchange does. */
const partnerId = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const keyOf = ({ apiKey, apiSecret }: SandboxAccount) => ({
  apiKey: new Secret(apiKey),
  apiSecret: new Secret(apiSecret),
});

/** Returns the expected withdrawal and deposit methods, without the deposit methods of wrapped coins. */
const listedBy = (chainName: ChainName): Pick<Case, 'withdrawalMethodOf' | 'listedDeposits'> => ({
  withdrawalMethodOf: ({ assetCode, network }) => chainName(assetCode, network),
  listedDeposits: methods.flatMap(({ assetCode: asset, network: named }) => {
    const [network, name] = [truthOf({ assetCode: asset, network: named }), chainName(asset, named)];
    return network === null || name === null ? [] : [{ asset, name, network }];
  }),
});

const cases: Case[] = [
  {
    id: 'kraken',
    credentials: keyOf,
    withdrawalMethodOf: ({ method }) => method,
    listedDeposits: depositMethods
      .filter(({ terms }) => terms.listed)
      .map((method) => ({ asset: method.assetCode, name: method.name, network: truthOf(method) })),
    // This name contains no network.
    unknown: ['LDO LDO Onboarding 7'],
    withheld: [],
    untagged: [],
    least: 65,
  },
  {
    id: 'sandbox',
    credentials: () => ({ apiKey: new Secret('sandbox_none') }),
    withdrawalMethodOf: ({ network }) => partnerId(network),
    listedDeposits: methods.map((method) => ({
      asset: method.assetCode,
      name: partnerId(method.network),
      network: truthOf(method),
    })),
    unknown: [],
    withheld: [],
    untagged: [],
    least: 65,
  },
  {
    id: 'okx',
    credentials: (account) => ({ ...keyOf(account), apiPassphrase: new Secret('sandbox') }),
    ...listedBy(okxChain),
    // OKX documents no endpoint that pays Lightning invoices, so the connector offers only deposits.
    withdrawalMethodOf: ({ assetCode, network }) => (network === 'Lightning' ? null : okxChain(assetCode, network)),
    unknown: [],
    // The connector offers none of these: the issuer lists no contract of the token on the network, or the connector
    // does not know OKX's name of the network.
    withheld: [
      'USDT USDT-Optimism',
      'USDT USDT-Aptos',
      'USDC USDC-Stellar Lumens',
      'UNI UNI-Unichain',
      'XMR XMR-Monero',
    ],
    untagged: ['SEI'],
    least: 65,
  },
  {
    id: 'bybit',
    credentials: keyOf,
    ...listedBy(bybitChain),
    unknown: [],
    // The connector offers none of these: the issuer lists no contract of the token on the network, or the contract
    // that the sandbox exchange has made up does not have the form of an address of the network.
    withheld: ['USDT OP', 'USDT APTOS', 'USDC XLM', 'PYUSD SOL'],
    untagged: [],
    least: 50,
  },
  {
    id: 'kucoin',
    credentials: (account) => ({ ...keyOf(account), apiPassphrase: new Secret('sandbox') }),
    ...listedBy(kucoinChain),
    unknown: [],
    // The connector offers none of these: the issuer lists no contract of the token on the network, or the contract
    // that the sandbox exchange has made up does not have the form of an address of the network.
    withheld: ['USDT optimism', 'USDT aptos', 'USDC xlm', 'PYUSD sol'],
    untagged: [],
    least: 50,
  },
  {
    id: 'binance',
    credentials: keyOf,
    ...listedBy(binanceChain),
    unknown: [],
    // The connector offers none of these: the issuer lists no contract of the token on the network, or the contract
    // that the sandbox exchange has made up does not have the form of an address of the network.
    withheld: ['USDT OPTIMISM', 'USDT APT', 'USDC XLM', 'PYUSD SOL'],
    untagged: ['SEI'],
    least: 55,
  },
];

/**
 * Compares the connectors with the lists of the sandbox exchange, which name the network of every method. A connector
 * must use a method of the requested network, or none.
 */
describe.each(cases)(
  'the connector of $id',
  ({ id, credentials, withdrawalMethodOf, listedDeposits, unknown, withheld, ...more }) => {
    let exchange: SandboxExchange;
    let exchanges: Exchanges;
    let session: ExchangeSession;
    let deposits: DepositCapability;

    beforeAll(async () => {
      exchange = await startSandboxExchange({ port: 0 });
      const limits = { EXCHANGE_CALLS_PER_SECOND: '1000', EXCHANGE_CALLS_BURST: '1000' };
      exchanges = createExchanges(loadConfig({ SANDBOX_URL: exchange.url, ...limits }));
      const account = await new Sandbox(exchange.url).open();
      const target = { exchange: id, mode: 'test', credentialId: id, credentials: credentials(account) } as const;
      session = await exchanges.open(target);
      if (session.deposits === undefined) throw new Error('no deposits');
      deposits = session.deposits;
    });
    afterAll(async () => {
      await exchanges.onApplicationShutdown();
      await exchange.close();
    });

    it('lists the supported withdrawal networks of each asset, each with the exchange’s method for this network', async () => {
      const networks = (await session.withdrawals?.networks()) ?? [];
      for (const code of codes) {
        const known = isOpen(code, ['deposit_only', 'funding_temporarily_disabled'])
          ? ofAsset(code).flatMap((method) => {
              const [network, listed] = [truthOf(method), withdrawalMethodOf(method)];
              const isOffered = network !== null && listed !== null && !withheld.includes(`${code} ${listed}`);
              return isOffered ? [{ network, method: listed }] : [];
            })
          : [];
        const found = networks
          .filter(({ asset }) => asset === code)
          .map(({ id: network, exchangeNetworkId }) => ({ network, method: exchangeNetworkId }));
        expect({ code, found }).toEqual({ code, found: known });
      }
      expect(networks.length).toBeGreaterThan(more.least);
    });

    it('lists the deposit methods of each asset, with a network of null where the connector cannot know the network', async () => {
      for (const code of codes) {
        const expected = isOpen(code, ['withdrawal_only', 'funding_temporarily_disabled'])
          ? listedDeposits.filter(({ asset, name }) => asset === code && !withheld.includes(`${code} ${name}`))
          : [];
        const found = await deposits.methods(code);
        expect(found.map(({ asset, exchangeMethodId: name, network }) => ({ asset, name, network }))).toEqual(
          expected.map((listed) =>
            unknown.includes(`${code} ${listed.name}`) ? { ...listed, network: null } : listed,
          ),
        );
      }
    });

    it.each([
      ['ETH', 'ARBITRUM', 'arbitrum'],
      ['USDC', 'SOL', 'solana'],
      ['BTC', 'LIGHTNING', 'lightning'],
      ['USDT', 'SOLANA', 'solana'],
    ])('offers only deposit methods of the requested network for %s on %s', async (asset, wanted, network) => {
      expect(resolveNetworkId(wanted)).toBe(network);
      const found = (await deposits.methods(asset)).filter((method) => method.network === network);
      const expectedMethods = listedDeposits.filter((listed) => listed.asset === asset && listed.network === network);
      expect(found.map(({ exchangeMethodId }) => exchangeMethodId)).toEqual(expectedMethods.map(({ name }) => name));
    });

    it('issues deposit addresses in the format of the requested network', async () => {
      for (const asset of ['BTC', 'ETH', 'USDT', 'USDC', 'XRP', 'XLM', 'ATOM', 'TON', 'SEI', 'SOL', 'DOT']) {
        for (const method of await deposits.methods(asset)) {
          const { network, exchangeMethodId } = method;
          if (network === null || network === 'lightning') continue;
          if (more.untagged.includes(asset)) {
            await expect(deposits.addresses(method)).rejects.toMatchObject({ reason: 'tag_missing' });
            continue;
          }
          const made = method.canGenerateAddress ? await deposits.create?.(method) : undefined;
          const [first] = await deposits.addresses(method);
          expect([exchangeMethodId, first]).toEqual([exchangeMethodId, made ?? expect.anything()]);
          const rule = networkById(network)?.addressRegex ?? '^$';
          expect([network, addressMatches(rule, first?.address ?? '')]).toEqual([network, true]);
        }
      }
    });
  },
);
