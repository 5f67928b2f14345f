import type { ServerResponse } from 'node:http';
import { Amount } from '#money';
import type { StubExchange } from './stub-exchange.js';

/** Sends a refusal of the partner API: its status, its code, and further fields. */
export function refuse(response: ServerResponse, status: number, code: string, extra: object = {}): undefined {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code, message: 'a refusal', ...extra } }));
}

/** The name of a call of the partner API for `StubExchange`. */
export const route = (method: 'GET' | 'POST', path: string): string => `${method} /partner/v1${path}`;

export const CHALLENGE = {
  id: '6d3a5e1c-7a49-4e12-8f3e-2a0c9f0d9b11',
  reference: 'quote-1',
  mode: 'step_by_step',
  relation: 'AND',
  steps: [
    { method: 'GOOGLE', status: 'pending', required: true },
    { method: 'EMAIL', status: 'pending', required: true, email: 'd***@customer.example', emailSent: true },
  ],
  expiresAt: 1_795_000_600_000,
  lockedAt: null,
} as const;

export const WITHDRAWAL = {
  id: 'WABCDE-FGHIJ-KLMNOP',
  reference: 'quote-1',
  asset: 'BTC',
  network: 'bitcoin',
  address: 'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6',
  tag: null,
  amount: '0.01',
  fee: '0.00015',
  status: 'requested',
  txHash: null,
  createdAt: 1_795_000_000_000,
} as const;

export const DEPOSIT = {
  id: 'DABCDE-FGHIJ-KLMNOP',
  asset: 'ETH',
  network: 'arbitrum-one',
  address: '0x7cb275a5e07ba943fee972e165d80daa67cb2dd0',
  tag: null,
  amount: '1.5',
  fee: '0',
  status: 'arriving',
  txHash: '0x298c83c7b0904d8400ef43e1c9e2287b518f7ea3d838822d53f704a1565c274d',
  createdAt: 1_795_000_000_123,
} as const;

export const MOVEMENT = {
  id: 'LABCDE-FGHIJ-KLMNOP',
  type: 'withdrawal',
  recordId: WITHDRAWAL.id,
  asset: 'BTC',
  change: '-0.01015',
  createdAt: 1_795_000_000_000,
} as const;

export const NETWORKS = [
  {
    asset: 'BTC',
    network: 'bitcoin',
    displayName: 'Bitcoin',
    addressRegex: '^(bc1[02-9ac-hj-np-z]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$',
    tagType: null,
    decimals: 10,
    minimum: '0.0004',
    maximum: '100',
    fee: '0.00015',
    feeAsset: 'BTC',
  },
  {
    asset: 'ETH',
    network: 'arbitrum-one',
    displayName: 'Arbitrum One',
    addressRegex: '^0x[0-9a-fA-F]{40}$',
    tagType: null,
    decimals: 10,
    minimum: '0.002',
    maximum: '1000',
    fee: '0.00008',
    feeAsset: 'ETH',
  },
  {
    asset: 'XRP',
    network: 'ripple',
    displayName: 'Ripple XRP',
    addressRegex: '^r[1-9A-HJ-NP-Za-km-z]{24,34}$',
    tagType: 'destinationTag',
    decimals: 8,
    minimum: '2',
    maximum: '1000000',
    fee: '0.2',
    feeAsset: 'XRP',
  },
  {
    asset: 'USDC',
    network: 'polygon-usdc-e',
    displayName: 'USDC (Polygon)',
    addressRegex: '^0x[0-9a-fA-F]{40}$',
    tagType: null,
    decimals: 8,
    minimum: '2',
    maximum: '1000000',
    fee: '0.5',
    feeAsset: 'USDC',
  },
] as const;

export const ACCOUNT = {
  id: '0d6c1c7e-31a5-4a85-8a5d-0f4d6c1c7e31',
  email: 'd***@customer.example',
  emailVerified: true,
  kyc: 'verified',
  permissions: ['read', 'withdraw'],
  ipAllowlist: ['198.51.100.7', '198.51.100.8'],
  verification: { mode: 'step_by_step', relation: 'AND', methods: ['GOOGLE', 'EMAIL'] },
  tokenExpiresAt: null,
  tokenCreatedAt: 1_795_000_000,
  tokenLastUsedAt: 1_795_000_060,
  holdUntil: null,
} as const;

export const BALANCES = [
  { asset: 'BTC', free: '4.75', held: '0.25', total: '5' },
  { asset: 'XRP', free: '20000', held: '0', total: '20000' },
] as const;

/** Makes a stub respond to every call of the partner API as documented. The fee of a preview is 0.00015. */
export function speakSandbox(stub: StubExchange): void {
  const respond = (method: 'GET' | 'POST', path: string, body: unknown): void =>
    stub.on(route(method, path), () => body);
  respond('GET', '/account', ACCOUNT);
  respond('GET', '/balances', { balances: BALANCES });
  respond('GET', '/networks', { networks: NETWORKS });
  stub.on(route('POST', '/withdrawals/preview'), ({ json }) => {
    const { amount } = json as { amount: string };
    return {
      amount,
      fee: '0.00015',
      total: Amount.of(amount).plus(Amount.of('0.00015')),
      minimum: '0.0004',
      maximum: '100',
      available: '4.75',
      requires: ['GOOGLE', 'EMAIL'],
    };
  });
  respond('POST', '/challenges', { challenge: CHALLENGE });
  respond('GET', `/challenges/${CHALLENGE.id}`, { challenge: CHALLENGE });
  respond('POST', `/challenges/${CHALLENGE.id}/verify`, { challenge: CHALLENGE });
  stub.on(route('POST', '/withdrawals'), (_call, response) => {
    response.writeHead(201).end(JSON.stringify({ withdrawal: WITHDRAWAL }));
  });
  respond('GET', '/withdrawals', { withdrawals: [], nextCursor: null });
  respond('GET', '/deposits', { deposits: [], nextCursor: null });
  respond('GET', '/movements', { movements: [], nextCursor: null });
}
