import { assetNetwork, type ListedAsset } from './asset-network.js';
import { listNetworks } from './networks.js';
import { listTokenContracts } from './token-contracts.js';

const idOf = (listed: ListedAsset): string | null => assetNetwork(listed)?.id ?? null;

describe('the network of a listed asset', () => {
  it('is known for a coin on its own chain, whatever contract is listed', () => {
    for (const { id: networkId, coins } of listNetworks()) {
      for (const asset of coins) {
        for (const contract of [undefined, null, '', '0xdAC17F958D2ee523a2206206994597C13D831ec7']) {
          expect([asset, idOf({ asset, networkId, contract })]).toEqual([asset, networkId]);
        }
      }
    }
  });

  it.each<[what: string, asset: string, networkId: string | null, contract: ListedAsset['contract']]>([
    ['BTC as a token of Ethereum', 'BTC', 'ethereum', '0x0316EB71485b0Ab14103307bf65a021042c6d380'],
    ['BTC on Ethereum, with the contract of WBTC', 'BTC', 'ethereum', '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'],
    ['BTC on BNB Smart Chain', 'BTC', 'bsc', '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c'],
    ['BTC on BNB Smart Chain without a contract', 'BTC', 'bsc', null],
    ['BTC on Ethereum, where the exchange lists no contracts', 'BTC', 'ethereum', undefined],
    ['BTC on a chain that our table lacks', 'BTC', null, '0xfA93C12Cd345c658bc4644D1D4E1B9615952258C'],
    ['ETH on Polygon', 'ETH', 'polygon', undefined],
    ['SOL on BNB Smart Chain', 'SOL', 'bsc', '0x570A5D26f7765Ecb712C0924E4De545B89fD43dF'],
    ['XRP on BNB Smart Chain, by the ending of a contract', 'XRP', 'bsc', { ending: '94dBE' }],
    ['bridged USDC on Polygon', 'USDC', 'polygon', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'],
    ['bridged USDC on Polygon, by the ending', 'USDC', 'polygon', { ending: 'a84174' }],
    ['pegged USDC on BNB Smart Chain', 'USDC', 'bsc', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'],
    ['USDT without a contract', 'USDT', 'tron', null],
    ['USDT with an empty contract', 'USDT', 'ethereum', ''],
    ['USDT with an empty ending', 'USDT', 'ethereum', { ending: '' }],
    ['a contract on Tron in lower case', 'USDT', 'tron', 'tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t'],
    ['a token whose contract has the form of another chain', 'ARB', 'arbitrum', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['a token without a contract', 'ARB', 'arbitrum', null],
    ['an unknown id', 'BTC', 'constructor', null],
  ])('is unknown for %s', (_what, asset, networkId, contract) => {
    expect(assetNetwork({ asset, networkId, contract })).toBeNull();
  });

  it('is known for a token if our table has its listed contract, or a contract with its listed ending', () => {
    for (const { asset, network: networkId, address } of listTokenContracts()) {
      const isHex = address.startsWith('0x');
      for (const contract of [address, isHex ? address.toLowerCase() : address]) {
        expect(idOf({ asset, networkId, contract })).toBe(networkId);
      }
      for (const ending of [address.slice(-6), address.slice(-6).toLowerCase()]) {
        expect(idOf({ asset, networkId, contract: { ending } })).toBe(networkId);
      }
    }
  });

  it('is known for a token that our table lacks, with any contract in the format of the network', () => {
    const contract = '0x912CE59144191C1204E64559FE8253a0e49E6548';
    expect(idOf({ asset: 'ARB', networkId: 'arbitrum', contract })).toBe('arbitrum');
  });

  it('is the network that the exchange names, where it lists no contracts', () => {
    expect(idOf({ asset: 'USDC', networkId: 'stellar' })).toBe('stellar');
    expect(idOf({ asset: 'INJ', networkId: 'ethereum' })).toBe('ethereum');
    expect(idOf({ asset: 'POL', networkId: 'ethereum' })).toBe('ethereum');
  });
});
