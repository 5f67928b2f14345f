import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { AssetBalance } from '#exchange';
import { Amount } from '#money';
import { ConnectWalletRequest, toCredentials, toWalletResponse } from './wallet.dto.js';
import { Wallet } from '../wallets/wallet.entity.js';

const invalid = (body: Record<string, unknown>): string[] =>
  validateSync(plainToInstance(ConnectWalletRequest, body)).map(({ property }) => property);

describe('the body of a connect request', () => {
  it('accepts keys, PEM secrets and passphrases with blanks', () => {
    const body = { apiKey: 'organizations/1/apiKeys/2', apiSecret: '-----BEGIN X-----\nAAAA\n', apiPassphrase: 'a b' };
    expect(invalid(body)).toEqual([]);
  });

  it.each([
    ['apiKey', ''],
    ['apiKey', 12],
    ['apiKey', 'line\nbreak'],
    ['apiKey', 'x'.repeat(513)],
    ['apiSecret', ''],
    ['apiSecret', ['a']],
    ['apiSecret', 'x'.repeat(8193)],
    ['apiPassphrase', ''],
    ['apiPassphrase', 'é'],
    ['apiPassphrase', 'x'.repeat(513)],
    ['apiUid', 700012],
    ['apiUid', 'x'.repeat(257)],
  ])('refuses %s = %j, and names the field', (field, value) => {
    expect(invalid({ apiKey: 'key', apiSecret: 'secret', [field]: value })).toEqual([field]);
  });

  it('accepts null for a credential that is not given', () => {
    const body = plainToInstance(ConnectWalletRequest, { apiKey: 'key', apiSecret: 'secret', apiUid: null });
    expect(validateSync(body)).toEqual([]);
    expect(Object.keys(toCredentials(body))).toEqual(['apiKey', 'apiSecret']);
  });

  it('may lack any credential, because each exchange needs different credentials', () => {
    for (const given of [{}, { apiKey: null, apiSecret: null }]) {
      expect(invalid(given)).toEqual([]);
      expect(toCredentials(plainToInstance(ConnectWalletRequest, given))).toEqual({});
    }
    expect(Object.keys(toCredentials(plainToInstance(ConnectWalletRequest, { apiKey: 'token' })))).toEqual(['apiKey']);
  });

  it('is converted to secrets whose values JSON does not show', () => {
    const body = plainToInstance(ConnectWalletRequest, { apiKey: 'my-key', apiSecret: 'my-secret', apiUid: 'my-uid' });
    expect(JSON.stringify(toCredentials(body))).not.toContain('my-');
    expect(toCredentials(body).apiSecret?.reveal()).toBe('my-secret');
  });
});

describe('a wallet over HTTP', () => {
  it('has its holdings as numbers, and as exact strings beside them', () => {
    const times = { createdAt: new Date(0), updatedAt: new Date(0), lastSyncAt: null };
    const wallet = Object.assign(new Wallet(), {
      externalId: 'mine',
      exchange: 'kraken',
      syncProgress: null,
      ...times,
    });
    const [free, used, total] = ['1.000000000000000001', '1e-18', '1.000000000000000002'].map((text) =>
      Amount.of(text),
    );
    const owed = { asset: 'USD', free: Amount.zero, used: Amount.zero, total: Amount.zero };
    const balances = [{ asset: 'ETH', free, used, total }, owed] as AssetBalance[];
    const response = toWalletResponse({ wallet, balances, unread: [] }, []);
    expect(Object.keys(response.balances)).toEqual(['ETH']);
    expect(Object.keys(response.exact.balances)).toEqual(['ETH']);
    expect(response).toMatchObject({
      balances: { ETH: { free: 1, used: 1e-18, total: 1 } },
      exact: {
        balances: {
          ETH: { free: '1.000000000000000001', used: '0.000000000000000001', total: '1.000000000000000002' },
        },
      },
    });
  });
});
