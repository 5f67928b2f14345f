import type { StubExchange } from '#exchange/testing';

export interface EsploraFacts {
  txid: string;
  /** Addresses of the spent outputs; null = an output without an address. */
  from: (string | null)[];
  to: { address: string; value: number }[];
  /** null = not in a block yet. */
  block: { height: number; time: number } | null;
}

/** A transaction in the format of Esplora (github.com/Blockstream/esplora, API.md, «Transaction format»). */
export function esploraTransaction({ txid, from, to, block }: EsploraFacts): object {
  return {
    txid,
    version: 2,
    locktime: 0,
    vin: from.map((address, index) => ({
      txid: String(index).repeat(64).slice(0, 64),
      vout: 0,
      prevout: esploraOutput(address, 10_000_000),
      scriptsig: '',
      scriptsig_asm: '',
      witness: [],
      is_coinbase: false,
      sequence: 4_294_967_293,
    })),
    vout: to.map(({ address, value }) => esploraOutput(address, value)),
    size: 223,
    weight: 562,
    fee: 1_410,
    status:
      block === null
        ? { confirmed: false }
        : { confirmed: true, block_height: block.height, block_hash: '0'.repeat(64), block_time: block.time },
  };
}

function esploraOutput(address: string | null, value: number): object {
  const script = { scriptpubkey: '0014', scriptpubkey_asm: 'OP_0', scriptpubkey_type: 'v0_p2wpkh' };
  return { ...script, ...(address !== null && { scriptpubkey_address: address }), value };
}

export interface EvmTransfer {
  hash: string;
  from: string;
  to: string;
  /** Hexadecimal, in wei. */
  value?: string;
  /** The tokens that the transaction moved. */
  tokens?: { from: string; to: string }[];
  status?: '0x0' | '0x1';
  /** null = not in a block yet. */
  block: { number: number; time: number } | null;
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const hex = (value: number): string => `0x${value.toString(16)}`;
const blockHashOf = (number: number): string => `0x${number.toString(16).padStart(64, 'b')}`;

/** A node with some transfers. It responds as the tests of github.com/ethereum/execution-apis show. */
export class JsonRpcNode {
  /** Responses that replace the normal ones, by method: the result, or an error. */
  readonly overrides = new Map<string, { result: unknown } | { error: { code: number; message: string } }>();
  /** The called methods in order. */
  readonly calls: string[] = [];
  private readonly transfers = new Map<string, EvmTransfer>();

  constructor(stub: StubExchange, route = 'POST /') {
    stub.on(route, ({ json }) => {
      const { id, method, params } = json as { id: number; method: string; params: [string] };
      this.calls.push(method);
      return { jsonrpc: '2.0', id, ...(this.overrides.get(method) ?? { result: this.resultOf(method, params[0]) }) };
    });
  }

  knows(transfer: EvmTransfer): void {
    this.transfers.set(transfer.hash, transfer);
  }

  resultOf(method: string, about: string): Record<string, unknown> | null {
    if (method === 'eth_getBlockByNumber') return blockOf([...this.transfers.values()], Number(about));
    const transfer = this.transfers.get(about);
    if (transfer === undefined) return null;
    return method === 'eth_getTransactionByHash' ? transactionOf(transfer) : receiptOf(transfer);
  }
}

function transactionOf({ hash, from, to, value = '0x0', block }: EvmTransfer): Record<string, unknown> {
  return {
    blockHash: block === null ? null : blockHashOf(block.number),
    blockNumber: block === null ? null : hex(block.number),
    from,
    gas: '0xea60',
    gasPrice: '0x1ec7cd47',
    maxFeePerGas: '0x1ec7cd47',
    maxPriorityFeePerGas: '0x1f4',
    hash,
    input: '0x',
    nonce: '0x4',
    to,
    transactionIndex: block === null ? null : '0x0',
    value,
    type: '0x2',
    accessList: [],
    chainId: '0x1',
    v: '0x1',
    r: '0xf78ac25d29e299b67e858b64ba54ca7f10e60714a0396277df4ce1727f5f8f73',
    s: '0x70bd40bbe85508ce983b1414293fec37a1115c63d3778a9e41789eb53b44ed77',
    yParity: '0x1',
  };
}

function receiptOf({
  hash,
  from,
  to,
  tokens = [],
  status = '0x1',
  block,
}: EvmTransfer): Record<string, unknown> | null {
  if (block === null) return null;
  const place = { blockHash: blockHashOf(block.number), blockNumber: hex(block.number), transactionHash: hash };
  return {
    ...place,
    contractAddress: null,
    cumulativeGasUsed: '0x5208',
    effectiveGasPrice: '0x2db08787',
    from,
    gasUsed: '0x5208',
    logs: tokens.map((token, index) => ({
      ...place,
      address: to,
      topics: [TRANSFER, topicOf(token.from), topicOf(token.to)],
      data: '0x00000000000000000000000000000000000000000000000000000000000f4240',
      transactionIndex: '0x0',
      logIndex: hex(index),
      removed: false,
    })),
    logsBloom: `0x${'0'.repeat(512)}`,
    status,
    to,
    transactionIndex: '0x0',
    type: '0x2',
  };
}

function blockOf(transfers: EvmTransfer[], number: number): Record<string, unknown> | null {
  const block = transfers.map((transfer) => transfer.block).find((each) => each?.number === number);
  if (block == null) return null;
  return {
    hash: blockHashOf(number),
    number: hex(number),
    timestamp: hex(block.time),
    parentHash: blockHashOf(number - 1),
  };
}
