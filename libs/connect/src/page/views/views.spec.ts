import { declaredExchanges } from '#exchange/testing';
import type { ChosenView } from '../../session/connect-view.js';
import { logoOf } from '../assets/assets.js';
import { readKeyForm } from './key-form.js';
import { keyView } from './key-view.js';
import { noticeView, openerMessage, returnAddress } from './outcome-view.js';
import { otherBrowserPage, pageOf } from './choose-page.js';
import { leavingView } from './session-views.js';
import { en } from '../texts/en.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const facts = { now: NOW, phoneLink: 'https://connect.example/connect/token', offers: [] };
const context = { assets: '/connect/assets', home: '/connect/token', texts: en };

const view = (more: Partial<ChosenView> = {}): ChosenView => ({
  exchange: {
    id: 'kraken',
    name: 'Kraken',
    docsUrl: 'https://docs.example',
    keyUrl: 'https://keys.example',
    keyGuide: declaredExchanges['kraken']?.spec.keyGuide,
    credentialFields: ['apiKey', 'apiSecret'],
    regions: [],
  },
  picksExchange: false,
  theme: { color: null, logoUrl: null },
  projectName: 'Shop',
  mode: 'live',
  externalWalletId: 'wallet-1',
  idem: 'attempt-0123456789',
  methods: ['oauth', 'key'],
  method: null,
  access: ['read'],
  state: 'opened',
  browser: 'this',
  expiresAt: new Date(NOW.getTime() + 60_000),
  error: null,
  warning: null,
  qr: null,
  egressIps: [],
  openerOrigin: null,
  returnUrl: null,
  attemptsLeft: 3,
  ...more,
});

const shown = (more: Partial<ChosenView>): string => pageOf(context, view(more), facts).text.replaceAll(/\s+/g, ' ');
const failed = { type: 'OAUTH_AUTHORIZATION_FAILED', error: 'denied' } as const;

describe('the page of a session', () => {
  it('names the application and the requested access, and states that the access excludes withdrawals', () => {
    const text = shown({});
    for (const part of [
      'Connect your Kraken account',
      'What Shop asks for',
      'See your balances',
      'does not ask to withdraw',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('Send your money');
    expect(shown({ access: ['read', 'withdrawal'] })).toContain('Shop will be able to withdraw');
  });

  it('names, after a failed attempt, the created key that its owner has to delete', () => {
    const error = { type: 'WITHDRAWAL_PROVIDER_ERROR', error: 'away', result: { keyName: 'Causeway <1a2b>' } } as const;
    for (const state of ['opened', 'failed'] as const) {
      expect(shown({ state, error })).toContain('delete the key “Causeway &lt;1a2b&gt;” at Kraken');
    }
    expect(shown({ state: 'failed', error: failed })).not.toContain('delete the key');
  });

  it.each([
    ['WITHDRAWAL_PROVIDER_ERROR', 'ip_not_allowed', 'does not allow the IP addresses of this service'],
    ['WITHDRAWAL_PROVIDER_ERROR', 'permission_missing', 'lacks a permission, or allows only other IP addresses'],
    ['WITHDRAWAL_PROVIDER_ERROR', 'key_ip_or_permission', 'was not copied completely, lacks a permission, or allows'],
    ['WITHDRAWAL_PROVIDER_ERROR', undefined, 'could not be reached'],
    ['WITHDRAWAL_2FA_REQUIRED_TOTP', undefined, 'Turn off two-factor authentication of the key'],
    ['WITHDRAWAL_KYC_REQUIRED', undefined, 'has not verified the owner'],
    ['WITHDRAWAL_EMAIL_UNVERIFIED', undefined, 'email address of the account'],
  ] as const)('says what to change when the exchange refuses the key with %s, %s', (type, reason, text) => {
    const error = { type, error: 'refused', ...(reason !== undefined && { result: { reason } }) };
    expect(shown({ state: 'opened', error })).toContain(text);
    expect(keyView(context, view({ method: 'key', error })).text).toContain(text);
  });

  it("names the wallet on every step, so that a person can notice a link for another user's wallet", () => {
    const qr = { content: 'code', status: 'waiting', expiresAt: NOW } as const;
    const warning = { tooMuch: [], tooLittle: [], unknown: [], permissions: [], unsafeSettings: [] };
    const steps: Partial<ChosenView>[] = [
      { state: 'created', browser: 'none' },
      { state: 'opened' },
      { state: 'scanning', qr },
      { state: 'confirming', warning },
      { state: 'connecting' },
    ];
    for (const step of steps)
      expect(shown({ ...step, externalWalletId: 'of <you>' })).toContain('account: “of &lt;you&gt;”');
    expect(keyView(context, view()).text).toContain('account: “wallet-1”');
    expect(leavingView(context, view(), 'https://exchange.example').text).toContain('account: “wallet-1”');
  });

  it.each([
    ['Cancel', {}],
    ['Cancel and go back to Shop', { returnUrl: 'https://shop.example/back' }],
    ['Cancel and go back to Shop', { openerOrigin: 'https://shop.example' }],
  ])('has the button “%s” with the settings %j', (label, more) => {
    expect(shown(more)).toContain(`<button class="text">${label}</button>`);
  });

  it('escapes the name of the project everywhere', () => {
    const projectName = '<script>alert(1)</script>"';
    for (const more of [{}, { state: 'connected' }, { state: 'failed', error: failed }] as Partial<ChosenView>[]) {
      const text = shown({ projectName, ...more });
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;');
    }
  });

  it('offers to continue on a phone only while no browser owns the session', () => {
    expect(shown({ browser: 'none', state: 'created' })).toContain('Continue on your phone');
    expect(shown({})).not.toContain('Continue on your phone');
  });

  it('shows another browser, with the status 403, that the session belongs to a different browser', () => {
    const { status, html: page } = otherBrowserPage(context, { browser: 'other', state: 'opened' });
    expect(status).toBe(403);
    expect(page.text).toContain('Opened in another browser');
  });

  it('explains in plain words why an attempt failed, with a small error code', () => {
    const text = shown({ error: failed });
    expect(text).toContain('was not granted');
    expect(text).toContain('<code>OAUTH_AUTHORIZATION_FAILED</code>');
    expect(text).toContain('You can try 3 more times.');
  });

  it.each([
    ['cancelled', { state: 'failed' }, 'You have cancelled.'],
    ['denied', { state: 'opened' }, 'was not granted'],
    ['denied', { state: 'failed' }, 'was not granted'],
  ] as const)('does not show a failure when the person has declined (%s): %j', (reason, more, words) => {
    const text = shown({ ...more, error: { ...failed, result: { reason } } });
    expect(text).toContain(words);
    for (const sign of ['sign bad', 'class="notice"', 'role="alert"', 'OAUTH_AUTHORIZATION_FAILED</code>']) {
      expect(text).not.toContain(sign);
    }
  });

  it('explains that a link has expired', () => {
    const text = shown({ state: 'failed', error: failed, expiresAt: NOW });
    expect(text).toContain('This link has expired');
    expect(text).not.toContain('was not granted');
  });

  it('polls while the person waits, and reloads where no script runs', () => {
    const qr = { content: 'https://exchange.example/qr', status: 'waiting', expiresAt: NOW } as const;
    for (const more of [{ state: 'scanning', qr }, { state: 'connecting' }] as Partial<ChosenView>[]) {
      const text = shown(more);
      expect(text).toContain('data-watch="/connect/token/state"');
      expect(text).toContain('<noscript><meta http-equiv="refresh" content="3;url=/connect/token" /></noscript>');
    }
  });

  it('warns of a key that may withdraw', () => {
    const warning: ChosenView['warning'] = {
      tooMuch: ['withdrawal'],
      tooLittle: [],
      unknown: ['earn-funds'],
      permissions: ['withdraw-funds', 'earn-funds'],
      unsafeSettings: ['nonce_window'],
    };
    const text = shown({ state: 'confirming', warning });
    expect(text).toContain('money can be withdrawn from your account');
    expect(text).toContain('withdraw-funds');
    expect(text).toMatch(/withdraws nothing and places no orders until[^<]*<[^]*Leave the nonce window at 0/);
    expect(text).toMatch(/Something else[^<]*<code>earn-funds<\/code>/);
  });
});

describe('the outcome page', () => {
  const returnUrl = 'https://shop.example/back?keep=1';

  it('leads back to the registered return address, with the outcome in its query', () => {
    expect(returnAddress(returnUrl, view({ state: 'connected' }))).toBe(
      `${returnUrl}&idem=attempt-0123456789&success=true&walletId=wallet-1&exchange=kraken`,
    );
    expect(returnAddress(returnUrl, view({ state: 'failed', error: failed }))).toContain(
      'success=false&walletId=wallet-1&exchange=kraken&error=OAUTH_AUTHORIZATION_FAILED',
    );
  });

  it('sends the page that opened it the message that listeners get, only at the registered origin', () => {
    const openerOrigin = 'https://shop.example';
    expect(openerMessage(view({ state: 'failed', method: 'oauth', error: failed, openerOrigin }))).toEqual({
      source: 'causeway',
      idem: 'attempt-0123456789',
      body: {
        type: 'oauth2',
        way: 'oauth2',
        success: false,
        walletId: 'wallet-1',
        exchange: 'kraken',
        error: 'denied',
        code: 'OAUTH_AUTHORIZATION_FAILED',
      },
    });
    expect(shown({ state: 'connected', openerOrigin })).toContain('data-origin="https://shop.example"');
    expect(shown({ state: 'connected' })).not.toContain('data-message');
  });

  it('redirects without a click only after a success or a cancellation, and never when another page opened it', () => {
    const leaves = (text: string): boolean => text.includes('http-equiv="refresh"');
    expect(leaves(shown({ state: 'connected', returnUrl }))).toBe(true);
    expect(leaves(shown({ state: 'connected', returnUrl, openerOrigin: 'https://shop.example' }))).toBe(false);
    expect(leaves(shown({ state: 'failed', error: failed, returnUrl }))).toBe(false);
    expect(shown({ state: 'failed', error: failed, returnUrl })).toContain('>Back to Shop</a>');
    const error = { ...failed, result: { reason: 'cancelled' } };
    expect(leaves(shown({ state: 'failed', error, returnUrl }))).toBe(true);
    expect(leaves(shown({ state: 'failed', error, returnUrl, openerOrigin: 'https://shop.example' }))).toBe(false);
  });
});

describe('the key form', () => {
  it('lists the permissions to tick and the addresses to allow', () => {
    const { text } = keyView(
      context,
      view({ access: ['read', 'withdrawal'], egressIps: ['203.0.113.1', '203.0.113.2'] }),
    );
    for (const part of [
      'Withdraw Funds',
      'Query Funds',
      'data-copy="203.0.113.1"',
      'data-copy="203.0.113.1,203.0.113.2"',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('Modify Orders');
    expect(keyView(context, view()).text).toContain('no fixed IP addresses');
  });

  it('names the settings of a key that must keep their defaults, where keys have such settings', () => {
    const { text } = keyView(context, view());
    expect(text).toContain('Leave two-factor authentication of the key turned off');
    expect(text).toContain('Leave the nonce window at 0');
    const okx = { ...view().exchange, keyGuide: declaredExchanges['okx']?.spec.keyGuide };
    expect(keyView(context, view({ exchange: okx })).text).not.toMatch(/two-factor|nonce/);
  });

  it('leaves out the read-only permission when the access needs a further permission', () => {
    const keyGuide = declaredExchanges['gemini']?.spec.keyGuide;
    const gemini = { ...view().exchange, id: 'gemini', name: 'Gemini', keyGuide };
    const named = (...access: ChosenView['access']): string[] => {
      const { text } = keyView(context, view({ exchange: gemini, access }));
      return ['Auditor', 'Trader', 'Fund Manager'].filter((role) => text.includes(`<li>${role}</li>`));
    };
    expect(named('read')).toEqual(['Auditor']);
    expect(named('read', 'trade')).toEqual(['Trader']);
    expect(named('read', 'deposit', 'trade')).toEqual(['Trader', 'Fund Manager']);
  });

  it('names the read-only permission for additional access that needs no further permission', () => {
    const keyGuide = declaredExchanges['bybit']?.spec.keyGuide;
    const bybit = { ...view().exchange, id: 'bybit', name: 'Bybit', keyGuide };
    const named = (...access: ChosenView['access']): string[] => {
      const { text } = keyView(context, view({ exchange: bybit, access }));
      return ['Read only', 'Spot trade', 'Withdrawal'].filter((name) => text.includes(`<li>${name}</li>`));
    };
    expect(named('read', 'deposit')).toEqual(['Read only']);
    expect(named('read', 'deposit', 'withdrawal')).toEqual(['Withdrawal']);
  });

  it('accepts a private key of several lines where the exchange uses such keys', () => {
    const keyGuide = declaredExchanges['coinbase']?.spec.keyGuide;
    const coinbase = { ...view().exchange, id: 'coinbase', name: 'Coinbase', keyGuide };
    const { text } = keyView(context, view({ exchange: coinbase, access: ['read', 'trade'] }));
    expect(text).toMatch(/<textarea[^>]*name="apiSecret"/);
    for (const permission of ['View', 'Trade']) expect(text).toContain(`<li>${permission}</li>`);
    expect(keyView(context, view()).text).not.toContain('<textarea');
  });

  it('links each error to its field', () => {
    const { text } = keyView(context, view(), { missing: ['apiSecret'], malformed: ['apiKey'], typed: {} });
    expect(text).toContain('href="#apiKey"');
    expect(text).toContain('id="apiKey-error">API key: this is incomplete');
    expect(text).toContain('href="#apiSecret"');
    expect(text).toContain('aria-describedby="apiSecret-error" aria-invalid="true"');
  });

  const formOf = (...credentialFields: ChosenView['exchange']['credentialFields']) => ({
    credentialFields,
    regions: [],
  });

  it('asks for the site of the account where the exchange has several sites', () => {
    const regions = [
      { id: 'global', name: 'Exchange', url: 'https://exchange.example', evidence: '' },
      { id: 'eea', name: 'Exchange Europe', url: 'https://eea.exchange.example', evidence: '' },
    ];
    expect(keyView(context, view()).text).not.toContain('apiRegion');
    const { exchange } = view();
    const { text } = keyView(context, { ...view(), exchange: { ...exchange, regions } });
    expect(text).toContain('<label for="apiRegion">Site on which you have your account</label>');
    expect(text).toContain('<option value="eea" >Exchange Europe</option>');
    const { key, missing } = readKeyForm({ apiKey: 'a', apiRegion: 'eea' }, { credentialFields: ['apiKey'], regions });
    expect([key.apiRegion?.reveal(), missing]).toEqual(['eea', []]);
    expect(readKeyForm({ apiKey: 'a' }, { credentialFields: ['apiKey'], regions }).missing).toEqual(['apiRegion']);
    expect(readKeyForm({ apiKey: 'a', apiRegion: 'eea' }, formOf('apiKey')).key.apiRegion).toBeUndefined();
  });

  it('removes the characters that copying has added to a key', () => {
    const { key, missing } = readKeyForm({ apiKey: '  abc\r\n', other: 'x' }, formOf('apiKey', 'apiSecret'));
    expect(key.apiKey?.reveal()).toBe('abc');
    expect(missing).toEqual(['apiSecret']);
    expect(readKeyForm({ apiKey: ['a', 'b'] }, formOf('apiKey')).missing).toEqual(['apiKey']);
    expect(readKeyForm(undefined, formOf('apiKey')).missing).toEqual(['apiKey']);
  });

  it.each([
    ['as forms send it', '-----BEGIN EC PRIVATE KEY-----\r\nMHc\r\n-----END EC PRIVATE KEY-----\r\n'],
    ['as files of JSON have it', String.raw`-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----\n`],
  ])('accepts a private key %s', (_, apiSecret) => {
    const { key } = readKeyForm({ apiSecret }, formOf('apiSecret'));
    expect(key.apiSecret?.reveal()).toBe('-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----\n');
  });
});

describe('the page on the way to the exchange', () => {
  it('redirects at once, and has a link to the same address', () => {
    const { text } = leavingView(context, view(), 'https://exchange.example/authorize?a=1&b=2');
    expect(text).toContain('content="0;url=https://exchange.example/authorize?a=1&amp;b=2"');
    expect(text).toContain('href="https://exchange.example/authorize?a=1&amp;b=2"');
  });
});

describe('the page about a fault of the service', () => {
  it('explains what happened and what to do, with a code for support', () => {
    const { text } = noticeView(context, 'fault', { code: 'GENERIC_INTERNAL_SERVER_ERROR', requestId: 'r-1' });
    for (const part of [
      'Something went wrong on our side',
      'Try again in a minute',
      'GENERIC_INTERNAL_SERVER_ERROR r-1',
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe('a logo', () => {
  it('is the first letter of the exchange’s name, or a dot when the name has no letter', () => {
    expect(logoOf({ id: 'kraken', name: 'Kraken' })).toContain('>K</text>');
    expect(logoOf({ id: 'x', name: '<b>"' })).toContain('>B</text>');
    expect(logoOf({ id: 'x', name: '&' })).toContain('>•</text>');
  });
});
