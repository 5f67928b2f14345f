import { z } from 'zod';
import { ChainCalls, type ChainEndpoint } from './chain-calls.js';
import type { Chain, ChainQuestion, ChainTransfer } from './chain.js';
import { EnrichmentApiError } from './enrichment.errors.js';

const HASH = /^0x[0-9a-f]{64}$/i;
/**
 * The form of a stored hash. `0x` may be missing, because some exchanges write hashes without it. A hash is stored as
 * the exchange writes it when its record names no network, even if our own withdrawal names an EVM chain.
 */
const STORED_HASH = /^(?:0x)?([0-9a-f]{64})$/i;
/**
 * keccak256 of `Transfer(address,address,uint256)`. The log of an ERC-20 transfer has three topics. Logs with four
 * topics are left out, because they are transfers of ERC-721.
 */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TRANSFER_TOPICS = 3;

const lower = (pattern: RegExp) => z.string().regex(pattern).toLowerCase();
const hash = lower(HASH);
const address = lower(/^0x[0-9a-f]{40}$/i);
const quantity = z.string().regex(/^0x[0-9a-f]+$/i);
/** Block heights and times. They are far below 2^53, so a number holds them exactly. */
const counter = z
  .string()
  .regex(/^0x[0-9a-f]{1,12}$/i)
  .transform((text) => Number(text));

const transaction = z.object({
  hash,
  blockHash: hash.nullable(),
  blockNumber: counter.nullable(),
  from: address,
  to: address.nullable(),
  value: quantity.transform((text) => BigInt(text)),
});
const receipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  status: z.enum(['0x0', '0x1']),
  logs: z.array(z.object({ topics: z.array(hash), removed: z.boolean().optional() })),
});
const block = z.object({ hash, number: counter, timestamp: counter });
type EvmTransaction = z.infer<typeof transaction>;
type Receipt = z.infer<typeof receipt>;

/**
 * A chain of the EVM behind a node's JSON-RPC (github.com/ethereum/execution-apis). It finds transfers by hash alone.
 */
export class JsonRpcChain implements Chain {
  constructor(private readonly endpoint: ChainEndpoint) {}

  canFind({ hash: known }: ChainQuestion): boolean {
    return known !== null && STORED_HASH.test(known);
  }

  async find({ hash: known, addressTo }: ChainQuestion): Promise<ChainTransfer | null> {
    const [, digits] = STORED_HASH.exec(known ?? '') ?? [];
    if (digits === undefined) return null;
    const wanted = `0x${digits.toLowerCase()}`;
    const rpc = new Rpc(this.endpoint);
    const sent = await rpc.call('eth_getTransactionByHash', [wanted], transaction.nullable());
    if (sent === null) return null;
    if (sent.hash !== wanted) throw rpc.error('the response is about another transaction');
    const mined = sent.blockHash === null ? null : await this.readBlock(sent, wanted, rpc);
    return {
      hash: wanted,
      addressFrom: mined === null ? null : senderOf(sent, mined.receipt, addressTo),
      block: mined === null ? null : { height: mined.block.number, at: new Date(mined.block.timestamp * 1_000) },
      isReverted: mined?.receipt.status === '0x0',
    };
  }

  /**
   * Returns null while the node's responses are about different blocks, because the node is switching to another block.
   */
  private async readBlock(
    sent: EvmTransaction,
    wanted: string,
    rpc: Rpc,
  ): Promise<{ receipt: Receipt; block: z.infer<typeof block> } | null> {
    const receiptOfIt = await rpc.call('eth_getTransactionReceipt', [wanted], receipt.nullable());
    if (receiptOfIt === null || sent.blockNumber === null) return null;
    if (receiptOfIt.transactionHash !== wanted) throw rpc.error('the receipt belongs to another transaction');
    const number = `0x${sent.blockNumber.toString(16)}`;
    const blockOfIt = await rpc.call('eth_getBlockByNumber', [number, false], block.nullable());
    const isOne = blockOfIt?.hash === sent.blockHash && receiptOfIt.blockHash === sent.blockHash;
    return isOne ? { receipt: receiptOfIt, block: blockOfIt } : null;
  }
}

/**
 * Returns the sender; for a token, the sender of the token and not the caller of the contract. Null when several
 * senders paid the address, or none is visible (as when a contract pays coins).
 */
function senderOf(sent: EvmTransaction, { logs }: Receipt, addressTo: string | null): string | null {
  if (addressTo === null) return null;
  const to = addressTo.toLowerCase();
  const topic = `0x${to.slice(2).padStart(64, '0')}`;
  const senders = logs
    .filter(({ removed }) => removed !== true)
    .filter(({ topics }) => topics.length === TRANSFER_TOPICS && topics[0] === TRANSFER && topics[2] === topic)
    .map(({ topics }) => `0x${(topics[1] ?? '').slice(-40)}`);
  if (sent.to === to && sent.value > 0n) senders.push(sent.from);
  const [sender = null, other] = new Set(senders);
  return other === undefined ? sender : null;
}

/** The calls of one look-up to one node. */
class Rpc {
  private readonly calls: ChainCalls;
  private id = 0;

  constructor(private readonly endpoint: ChainEndpoint) {
    this.calls = new ChainCalls(endpoint);
  }

  async call<T>(method: string, params: unknown[], result: z.ZodType<T>): Promise<T> {
    const id = ++this.id;
    const answer = await this.calls.post({ jsonrpc: '2.0', id, method, params });
    return this.calls.read(answer, (body) => {
      const { error } = z.object({ error: z.object({ code: z.number() }).optional() }).parse(body);
      if (error !== undefined) throw new Error(`${method}: error ${error.code}`);
      return z.object({ jsonrpc: z.literal('2.0'), id: z.literal(id), result }).parse(body).result;
    });
  }

  error(what: string): EnrichmentApiError {
    return new EnrichmentApiError(this.endpoint.network, new Error(what));
  }
}
