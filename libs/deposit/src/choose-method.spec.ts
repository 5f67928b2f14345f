import type { DepositMethod } from '#exchange';
import { chooseMethod } from './choose-method.js';
import { DepositMethodNotResolved } from './deposit.errors.js';

const method = (network: string | null, exchangeMethodId = `by ${network}`): DepositMethod => ({
  asset: 'ETH',
  network,
  exchangeMethodId,
  tagType: null,
  minimum: null,
  fee: null,
  limit: null,
  canGenerateAddress: true,
});

const METHODS = [
  method('ethereum'),
  method('arbitrum'),
  method('optimism', 'Optimism'),
  method('optimism', 'Optimism (old)'),
  method(null, 'Ether (Wrapped)'),
];

function refusal(named: string, methods = METHODS): DepositMethodNotResolved {
  try {
    chooseMethod(methods, 'ETH', named);
  } catch (error) {
    if (error instanceof DepositMethodNotResolved) return error;
  }
  throw new Error(`${named} was not refused`);
}

describe('the deposit method of a network', () => {
  it.each([
    ['ethereum', 'by ethereum'],
    ['ERC20', 'by ethereum'],
    ['Arbitrum One', 'by arbitrum'],
    [' arbitrum', 'by arbitrum'],
  ])('is the only method on the network that the caller names: %s', (named, exchangeMethodId) => {
    expect(chooseMethod(METHODS, 'ETH', named)).toMatchObject({ exchangeMethodId });
  });

  it.each([
    ['without a method of the exchange', 'base'],
    ['that is not known', 'nope'],
    ['with several methods of the exchange', 'optimism'],
    ['that is the name of a method whose network is unknown', 'Ether (Wrapped)'],
  ])('is not chosen for a network %s; the error lists the networks that have exactly one method', (_, named) => {
    expect(refusal(named).details.result).toEqual({ networks: ['arbitrum', 'ethereum'] });
  });

  it('is not chosen when the network of every method is unknown, even if there is only one method', () => {
    expect(refusal('ethereum', [method(null)]).details.result).toEqual({ networks: [] });
  });

  it('is not chosen, with an error that names no other network, when no network has exactly one method', () => {
    const { message, details } = refusal('ethereum', [method('optimism'), method('optimism', 'Optimism (old)')]);
    expect(message).toBe(
      'The network ethereum does not match exactly one deposit method of ETH, and no other network does: get the address on the site of the exchange',
    );
    expect(details).toEqual({ result: { networks: [] } });
    expect(refusal('base').message).toMatch(/; use arbitrum, ethereum$/);
  });
});
