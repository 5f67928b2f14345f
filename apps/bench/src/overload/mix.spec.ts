import { requestsPerExecution, readKind } from './mix.js';

describe('the mix of an overload', () => {
  it('has 30 lists, 30 tickers and 38 wallets among 98 reads', () => {
    const kinds = Array.from({ length: 98 }, (_, index) => readKind(index));
    const countOf = (kind: string): number => kinds.filter((each) => each === kind).length;
    expect([countOf('list'), countOf('tickers'), countOf('wallet')]).toEqual([30, 30, 38]);
  });

  it('never has three successive reads of the same kind', () => {
    const kinds = Array.from({ length: 1_000 }, (_, index) => readKind(index));
    expect(kinds.some((kind, index) => kind === kinds[index + 1] && kind === kinds[index + 2])).toBe(false);
  });

  it('makes one request in 50 an execution, or fewer where that would exceed 20 executions in a second', () => {
    expect([requestsPerExecution(500), requestsPerExecution(1_000), requestsPerExecution(4_000)]).toEqual([
      50, 50, 200,
    ]);
  });
});
