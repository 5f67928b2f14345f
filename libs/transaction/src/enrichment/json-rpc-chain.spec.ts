import { Transport } from '#exchange';
import { StubExchange } from '#exchange/testing';
import { Amount } from '#money';
import { JsonRpcNode, type EvmTransfer } from '../testing/chain-documentation.js';
import type { ChainQuestion } from './chain.js';
import { JsonRpcChain } from './json-rpc-chain.js';

const HASH = `0x${'5a'.repeat(32)}`;
const OURS = '0x95222290DD7278Aa3Ddd389Cc1E1d165CC4BAfe5';
const SENDER = '0x658bdf435d810c91414ec09147daa6db62406379';
const OTHER = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const TOKEN = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const BLOCK = { number: 21_000_000, time: 1_768_046_400 };

const question: ChainQuestion = { hash: HASH, addressTo: OURS, amount: Amount.of('1'), at: new Date() };
const coins: EvmTransfer = {
  hash: HASH,
  from: SENDER,
  to: OURS.toLowerCase(),
  value: '0xde0b6b3a7640000',
  block: BLOCK,
};

describe('a chain of the EVM behind JSON-RPC', () => {
  let stub: StubExchange;
  let node: JsonRpcNode;
  let transport: Transport;
  let chain: JsonRpcChain;

  beforeEach(async () => {
    stub = await StubExchange.start();
    node = new JsonRpcNode(stub, 'POST /v3/key');
    transport = new Transport({ connectTimeoutMs: 300, responseMaxBytes: 100_000 });
    chain = new JsonRpcChain({ network: 'ethereum', url: `${stub.url}/v3/key`, timeoutMs: 300, transport });
  });
  afterEach(async () => {
    await transport.close();
    await stub.close();
  });

  const inBlock = { height: 21_000_000, at: new Date(1_768_046_400_000) };

  it('returns the block of a transfer of coins, and its sender', async () => {
    node.knows(coins);
    expect(await chain.find(question)).toEqual({ hash: HASH, addressFrom: SENDER, block: inBlock, isReverted: false });
    expect(node.calls).toEqual(['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockByNumber']);
  });

  it('finds a transfer whose stored hash lacks 0x, as some exchanges write hashes', async () => {
    node.knows(coins);
    const bare = { ...question, hash: HASH.slice(2).toUpperCase() };
    expect(chain.canFind(bare)).toBe(true);
    expect(await chain.find(bare)).toMatchObject({ hash: HASH, block: inBlock });
  });

  it('returns the sender of a token, not the caller of the contract', async () => {
    node.knows({ ...coins, to: TOKEN, value: '0x0', tokens: [{ from: OTHER, to: OURS }] });
    expect(await chain.find(question)).toMatchObject({ addressFrom: OTHER, block: inBlock });
  });

  it.each<[string, Partial<EvmTransfer>]>([
    [
      'tokens came from two senders',
      { to: TOKEN, value: '0x0', tokens: [SENDER, OTHER].map((from) => ({ from, to: OURS })) },
    ],
    ['tokens and coins came from different senders', { tokens: [{ from: OTHER, to: OURS }] }],
    ['a contract has paid coins', { to: TOKEN, value: '0x0' }],
    ['tokens went to another address', { to: TOKEN, value: '0x0', tokens: [{ from: SENDER, to: OTHER }] }],
    ['the transaction called the address and moved no coins', { value: '0x0' }],
  ])('names no sender when %s', async (_name, rest) => {
    node.knows({ ...coins, ...rest });
    expect(await chain.find(question)).toMatchObject({ addressFrom: null, block: inBlock });
  });

  it('names no sender when the exchange does not report our address', async () => {
    node.knows(coins);
    expect(await chain.find({ ...question, addressTo: null })).toMatchObject({ addressFrom: null, block: inBlock });
  });

  it('reports a transfer as reverted when it is in a block and has moved nothing', async () => {
    node.knows({ ...coins, status: '0x0' });
    expect(await chain.find(question)).toMatchObject({ isReverted: true });
  });

  it('returns no block while no block contains the transaction', async () => {
    node.knows({ ...coins, block: null });
    expect(await chain.find(question)).toEqual({ hash: HASH, addressFrom: null, block: null, isReverted: false });
  });

  it('returns no block while the responses are about different blocks', async () => {
    node.knows(coins);
    const receipt = node.resultOf('eth_getTransactionReceipt', HASH);
    node.overrides.set('eth_getTransactionReceipt', { result: { ...receipt, blockHash: `0x${'ee'.repeat(32)}` } });
    expect(await chain.find(question)).toMatchObject({ block: null });
    node.overrides.set('eth_getTransactionReceipt', { result: null });
    expect(await chain.find(question)).toMatchObject({ block: null });
    node.overrides.clear();
    node.overrides.set('eth_getBlockByNumber', { result: null });
    expect(await chain.find(question)).toMatchObject({ block: null });
  });

  it('returns null for a transaction that the node does not know', async () => {
    expect(await chain.find(question)).toBeNull();
  });

  it('cannot find a transfer without a valid hash', () => {
    expect(chain.canFind({ ...question, hash: null })).toBe(false);
    expect(chain.canFind({ ...question, hash: '0x1234' })).toBe(false);
    expect(chain.canFind({ ...question, hash: HASH.toUpperCase().replace('0X', '0x') })).toBe(true);
  });

  it.each(['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockByNumber'])(
    'reports an error of %s as an error of the API, and does not show the text of the error',
    async (method) => {
      node.knows(coins);
      node.overrides.set(method, { error: { code: -32_005, message: 'project 4711 is over its limit' } });
      await expect(chain.find(question)).rejects.toMatchObject({
        code: 'ENRICHMENT_API_ERROR',
        message: expect.not.stringMatching(/4711|127\.0\.0\.1/) as string,
      });
    },
  );

  const wrong: [string, string, Record<string, unknown>][] = [
    ['another transaction', 'eth_getTransactionByHash', { hash: `0x${'77'.repeat(32)}` }],
    ['the receipt of another transaction', 'eth_getTransactionReceipt', { transactionHash: `0x${'77'.repeat(32)}` }],
    ['a height that is no number', 'eth_getTransactionByHash', { blockNumber: '21000000' }],
    ['a height that is too large to be exact', 'eth_getTransactionByHash', { blockNumber: `0x${'f'.repeat(20)}` }],
    ['a sender that is no address', 'eth_getTransactionByHash', { from: '<script>' }],
    ['a receipt without a status', 'eth_getTransactionReceipt', { status: undefined }],
    ['a time that is no number', 'eth_getBlockByNumber', { timestamp: 1_768_046_400 }],
  ];
  it.each(wrong)('reports %s as an error of the API', async (_name, method, values) => {
    node.knows(coins);
    const about = method === 'eth_getBlockByNumber' ? String(BLOCK.number) : HASH;
    node.overrides.set(method, { result: { ...node.resultOf(method, about), ...values } });
    await expect(chain.find(question)).rejects.toMatchObject({ code: 'ENRICHMENT_API_ERROR' });
  });

  it.each<[string, unknown]>([
    ['the answer to another call', { jsonrpc: '2.0', id: 99, result: null }],
    ['an answer without a result', { jsonrpc: '2.0', id: 1 }],
    ['something else', ['hello']],
  ])('reports %s as an error of the API', async (_name, body) => {
    stub.on('POST /v3/key', () => body);
    await expect(chain.find(question)).rejects.toMatchObject({ code: 'ENRICHMENT_API_ERROR' });
  });

  it('ends with a time-out when the node does not respond', async () => {
    stub.on('POST /v3/key', () => undefined);
    await expect(chain.find(question)).rejects.toMatchObject({ code: 'ENRICHMENT_TIMEOUT' });
  });
});
