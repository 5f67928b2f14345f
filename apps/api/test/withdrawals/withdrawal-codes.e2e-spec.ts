import { TOTP } from 'otpauth';
import { errorCodes, type ErrorCode } from '#platform/errors';
import { addressesToWithdrawTo } from '../../../sandbox-exchange/src/partner/accounts/open-account.js';
import type { Answer } from '../support/documented-responses.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import {
  btcQuote,
  execute,
  quote,
  savedAddress,
  type ErrorBody,
  type QuoteRequest,
} from '../support/withdrawal-client.js';

type WithdrawalCode = Extract<ErrorCode, `WITHDRAWAL_${string}` | `QUOTE_${string}`>;
type Refused = Answer<ErrorBody>;
type Client = Pick<TestWallet, 'http'>;

const isWithdrawalCode = (code: string): code is WithdrawalCode => /^(WITHDRAWAL|QUOTE)_/.test(code);

/** An address that no account has saved. */
const NEW_ADDRESS = 'bc1q5r7pezjvsdku62zap44ryk6ssfnrqre58gqvvq';
/** The TOTP secret of every account that a magic token opens (docs/sandbox.md). */
const MAGIC_TOTP_SECRET = 'JBSWY3DPEHPK3PXP';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
const QUOTE_TTL_MS = 300_000;

/**
 * The wallets of one case: a wallet at Kraken, whose protocol the sandbox exchange speaks, and accounts of the partner
 * API that magic tokens open (docs/sandbox.md).
 */
class Scene {
  private static count = 0;

  private constructor(
    readonly app: TestApp,
    private readonly project: TestProjectWithClient,
    readonly kraken: TestWallet,
  ) {}

  static async open(app: TestApp, project: TestProjectWithClient): Promise<Scene> {
    return new Scene(app, project, await app.wallet(project));
  }

  /** Connects a wallet with the magic token `sandbox_<scenario>_<number>`. */
  async magic(scenario: string): Promise<Client> {
    const token = `sandbox_${scenario}_${++Scene.count}`;
    const http = this.project.http.with({ 'x-svc-wallet-id': token });
    const { status, body } = await http.post('/v0/wallet/sandbox/connect', { body: { apiKey: token } });
    if (status !== 201) throw new Error(`not connected: ${status} ${JSON.stringify(body)}`);
    return { http };
  }

  async magicQuote(wallet: Client, amount = '0.01'): Promise<string> {
    const address = addressesToWithdrawTo()['BTC']?.['bitcoin'];
    const { status, body } = await quote(wallet, { asset: 'BTC', network: 'bitcoin', amount, address });
    if (status !== 200) throw new Error(`no quote: ${status} ${JSON.stringify(body)}`);
    return body.id;
  }

  /** Creates a quote at an account of this scenario, and executes the quote with this body. */
  async magicExecute(scenario: string, body: object = {}, amount?: string): Promise<Refused> {
    const wallet = await this.magic(scenario);
    return execute(wallet, await this.magicQuote(wallet, amount), body);
  }

  /** Executes a quote, which opens a challenge, and executes it again with a body that contains the `bizNo`. */
  async magicChallenge(body: (bizNo: string) => object): Promise<Refused> {
    const wallet = await this.magic('multi');
    const id = await this.magicQuote(wallet);
    const path = `/v0/wallet/withdraw/${id}/execute`;
    const opened = await wallet.http.put<{ result: { bizNo: string } }>(path, { body: {} });
    return execute(wallet, id, body(opened.body.result.bizNo));
  }

  /** Executes a quote at Kraken, which refuses the withdrawal with this error. */
  async krakenRefuses(error: string, body: object = {}): Promise<Refused> {
    const { id } = await btcQuote(this.kraken);
    const { apiKey } = this.kraken.account;
    await this.app.sandbox.arm({ endpoint: 'Withdraw', fault: 'definite_refusal', error, apiKey });
    return execute(this.kraken, id, body);
  }

  krakenQuote(request: QuoteRequest): Promise<Refused> {
    const address = savedAddress(this.kraken, 'BTC', 'Bitcoin');
    return quote(this.kraken, { asset: 'BTC', network: 'bitcoin', amount: '0.1', address, ...request });
  }
}

type Case = [code: WithdrawalCode, status: number, how: string, provoke: (scene: Scene) => Promise<Refused>];

/** A case with a magic amount (docs/sandbox.md), whose fraction ends in 666NN, at an account without verification. */
const byAmount = (code: WithdrawalCode, status: number, digits: string): Case => [
  code,
  status,
  `the magic amount …666${digits}`,
  (scene) => scene.magicExecute('none', {}, `0.010666${digits}`),
];

/** A case with a quote at an account of this scenario. */
const byAccount = (code: WithdrawalCode, status: number, scenario: string): Case => [
  code,
  status,
  `the account sandbox_${scenario}`,
  async (scene) => {
    const wallet = await scene.magic(scenario);
    const address = scenario === 'full_book' ? NEW_ADDRESS : addressesToWithdrawTo()['BTC']?.['bitcoin'];
    return quote(wallet, { asset: 'BTC', network: 'bitcoin', amount: '0.01', address });
  },
];

const byMethod = (code: WithdrawalCode, scenario: string): Case => [
  code,
  400,
  `the account sandbox_${scenario}`,
  (scene) => scene.magicExecute(scenario),
];

const byKraken = (code: WithdrawalCode, status: number, error: string): Case => [
  code,
  status,
  `Kraken’s ${error}`,
  (scene) => scene.krakenRefuses(error),
];

const byQuote = (code: WithdrawalCode, how: string, request: QuoteRequest): Case => [
  code,
  400,
  `a quote: ${how}`,
  (scene) => scene.krakenQuote(request),
];

/** Errors about the account that Kraken may return to any call. */
const ofAccounts: [WithdrawalCode, string][] = [
  ['WITHDRAWAL_EMAIL_UNVERIFIED', 'EAuth:Account unconfirmed'],
  ['WITHDRAWAL_KYC_REQUIRED', 'EBM:limit exceeded'],
  ['WITHDRAWAL_2FA_REQUIRED_TOTP', 'EAPI:Invalid OTP'],
  ['WITHDRAWAL_PROVIDER_ERROR', 'EAPI:Bad request'],
];

const calls: [string, (scene: Scene) => Promise<Refused>][] = [
  ['ping', ({ kraken }) => kraken.http.get('/v0/wallet/ping')],
  ['balance', ({ kraken }) => kraken.http.get('/v0/wallet/withdraw/balance')],
  ['fee', ({ kraken }) => kraken.http.get('/v0/wallet/info/fee?asset=BTC&amount=1')],
  ['deposit', ({ kraken }) => kraken.http.get('/v0/wallet/deposit/address?asset=BTC&network=bitcoin')],
  ['quote', (scene) => scene.krakenQuote({})],
  [
    'connect',
    ({ kraken: { http, account } }) => {
      const { apiKey, apiSecret } = account;
      return http.post('/v0/wallet/kraken/connect', { body: { apiKey, apiSecret } });
    },
  ],
];

/** One case for each pair of an error in `ofAccounts` and a call in `calls`, because every call can return them all. */
const accounts: Case[] = ofAccounts.flatMap(([code, error]) =>
  calls.map(([name, send]): Case => [
    code,
    errorCodes[code].status,
    `Kraken’s ${error} to ${name}`,
    async (scene) => {
      const { apiKey } = scene.kraken.account;
      await scene.app.sandbox.arm({ endpoint: '*', fault: 'definite_refusal', error, count: null, apiKey });
      return send(scene);
    },
  ]),
);

const quotes: Case[] = [
  ['QUOTE_NOT_FOUND', 404, 'executing an unknown quote id', ({ kraken }) => execute(kraken, UNKNOWN_ID)],
  [
    'QUOTE_NOT_FOUND',
    404,
    'reading an unknown quote id',
    ({ kraken }) => kraken.http.get(`/v0/wallet/withdraw/${UNKNOWN_ID}`),
  ],
  [
    'QUOTE_EXPIRED',
    410,
    'executing an expired quote',
    async ({ app, kraken }) => {
      const { id } = await btcQuote(kraken);
      app.clock.advance(QUOTE_TTL_MS);
      return execute(kraken, id);
    },
  ],
  byQuote('WITHDRAWAL_ASSET_NOT_SUPPORTED', 'an unknown asset', { asset: 'NOSUCH', network: 'x' }),
  byQuote('WITHDRAWAL_NETWORK_NOT_SUPPORTED', 'a network of other assets', { network: 'tron' }),
  byQuote('WITHDRAWAL_INVALID_ADDRESS', 'an address of another network', { address: '0x'.padEnd(42, '0') }),
  byQuote('WITHDRAWAL_AMOUNT_BELOW_MINIMUM', 'an amount below the minimum', { amount: '0.0001' }),
  byQuote('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'an amount above the maximum', { amount: '100000' }),
  byQuote('WITHDRAWAL_INSUFFICIENT_BALANCE', 'more than the balance', { amount: '5.1' }),
  byQuote('WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE', 'the whole balance', { amount: '5' }),
  [
    'WITHDRAWAL_NETWORK_NOT_SUPPORTED',
    400,
    'the fee of a network of other assets',
    ({ kraken }) => kraken.http.get('/v0/wallet/info/fee?asset=BTC&network=tron'),
  ],
];

const refusals: Case[] = [
  byAmount('WITHDRAWAL_INSUFFICIENT_BALANCE', 400, '01'),
  byAmount('WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE', 400, '02'),
  byAmount('WITHDRAWAL_INVALID_ADDRESS', 400, '03'),
  byAmount('WITHDRAWAL_TOO_MANY_ADDRESSES', 409, '04'),
  byAmount('WITHDRAWAL_FUNDING_ADDRESS_CONFLICT', 409, '05'),
  byAmount('WITHDRAWAL_KYC_REQUIRED', 400, '06'),
  byAmount('WITHDRAWAL_EMAIL_UNVERIFIED', 400, '07'),
  byAmount('WITHDRAWAL_RATE_LIMIT_EXCEEDED', 429, '08'),
  byAmount('WITHDRAWAL_PROVIDER_ERROR', 502, '09'),
  byAmount('WITHDRAWAL_NETWORK_NOT_SUPPORTED', 400, '10'),
  byAmount('WITHDRAWAL_ASSET_NOT_SUPPORTED', 400, '11'),
  byAmount('WITHDRAWAL_AMOUNT_BELOW_MINIMUM', 400, '12'),
  byAmount('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 400, '13'),
  byAmount('WITHDRAWAL_PROVIDER_ERROR', 502, '14'),
  byAccount('WITHDRAWAL_KYC_REQUIRED', 400, 'kyc'),
  byAccount('WITHDRAWAL_EMAIL_UNVERIFIED', 400, 'unverified_email'),
  byAccount('WITHDRAWAL_PROVIDER_ERROR', 502, 'hold'),
  byAccount('WITHDRAWAL_TOO_MANY_ADDRESSES', 409, 'full_book'),
  byKraken('WITHDRAWAL_INSUFFICIENT_BALANCE', 400, 'EFunding:Insufficient funds'),
  byKraken('WITHDRAWAL_AMOUNT_BELOW_MINIMUM', 400, 'EFunding:Invalid amount'),
  byKraken('WITHDRAWAL_INVALID_ADDRESS', 400, 'EFunding:Unknown withdraw key'),
  byKraken('WITHDRAWAL_ASSET_NOT_SUPPORTED', 400, 'EFunding:Unknown asset'),
  byKraken('WITHDRAWAL_NETWORK_NOT_SUPPORTED', 400, 'EFunding:No funding method'),
  byKraken('WITHDRAWAL_TOO_MANY_ADDRESSES', 409, 'EFunding:Too many addresses'),
  byKraken('WITHDRAWAL_FUNDING_ADDRESS_CONFLICT', 409, 'EFunding:Duplicate withdraw key'),
  byKraken('WITHDRAWAL_PROVIDER_ERROR', 502, 'EFunding:Max fee exceeded'),
  byKraken('WITHDRAWAL_KYC_REQUIRED', 400, 'EBM:limit exceeded'),
  byKraken('WITHDRAWAL_EMAIL_UNVERIFIED', 400, 'EAuth:Account unconfirmed'),
  [
    'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
    429,
    'Kraken’s EAPI:Rate limit exceeded to a call before the submission',
    async ({ app, kraken }) => {
      const { id } = await btcQuote(kraken);
      await app.sandbox.arm({ endpoint: 'WithdrawAddresses', fault: 'rate_limit', apiKey: kraken.account.apiKey });
      return execute(kraken, id);
    },
  ],
  byKraken('WITHDRAWAL_2FA_REQUIRED_TOTP', 400, 'EAPI:OTP required'),
  [
    'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
    429,
    'the second withdrawal of the account sandbox_rate_limited',
    async (scene) => {
      const wallet = await scene.magic('rate_limited');
      const [first, second] = [await scene.magicQuote(wallet, '0.01'), await scene.magicQuote(wallet, '0.02')];
      await execute(wallet, first);
      return execute(wallet, second);
    },
  ],
  [
    'WITHDRAWAL_PROVIDER_ERROR',
    502,
    'an exchange that is out of reach',
    async ({ app, kraken }) => {
      await app.sandbox.arm({ endpoint: '*', fault: 'error_before', count: null, apiKey: kraken.account.apiKey });
      return kraken.http.get('/v0/wallet/ping');
    },
  ],
];

const verifications: Case[] = [
  byMethod('WITHDRAWAL_2FA_REQUIRED_TOTP', 'totp'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_EMAIL', 'email'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_SMS', 'sms'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION', 'face'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_YUBIKEY', 'yubikey'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_PASSPHRASE', 'passphrase'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', 'multi'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', 'multi_or'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', 'multi_face'),
  byMethod('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS', 'collect'),
  [
    'WITHDRAWAL_2FA_INCOMPLETE',
    400,
    'one right code of two',
    (scene) => {
      const timestamp = scene.app.clock.now().getTime();
      const twofa = new TOTP({ secret: MAGIC_TOTP_SECRET }).generate({ timestamp });
      return scene.magicChallenge((bizNo) => ({ bizNo, twofa }));
    },
  ],
  [
    'WITHDRAWAL_2FA_INCOMPLETE',
    400,
    'a wrong code in a challenge of several steps',
    (scene) => scene.magicChallenge((bizNo) => ({ bizNo, twofa: '000000' })),
  ],
  [
    'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED',
    400,
    'a code of a step that the challenge does not have',
    (scene) => scene.magicChallenge((bizNo) => ({ bizNo, smsCode: '123456' })),
  ],
  [
    'WITHDRAWAL_2FA_INVALID',
    400,
    'a wrong code for the only step',
    (scene) => scene.magicExecute('totp', { twofa: '000000' }),
  ],
  [
    'WITHDRAWAL_2FA_INVALID',
    400,
    'Kraken’s EAPI:OTP required after a code',
    (scene) => scene.krakenRefuses('EAPI:OTP required', { twofa: '000000' }),
  ],
  [
    'WITHDRAWAL_DRY_RUN_COMPLETE',
    400,
    'a dry run with no missing requirement',
    (scene) => scene.magicExecute('none', { params: { dryRun: true } }),
  ],
];

/** Clients search messages for these words. If a code contains one of them, its message must contain the same word. */
const words = ['address', 'network', 'email', 'minimum', 'maximum', 'amount', 'not found'];

describe('every code of quotes, withdrawals and their verification', () => {
  const seen = new Set<WithdrawalCode>();
  let app: TestApp;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  it.each([...accounts, ...quotes, ...refusals, ...verifications])(
    '%s (%i) is provoked by %s',
    async (code, status, _, provoke) => {
      const { status: answered, body } = await provoke(await Scene.open(app, project));
      expect([answered, body.type]).toEqual([status, code]);
      const promised = words.filter((word) => code.includes(`_${word.toUpperCase().replace(' ', '_')}`));
      for (const word of promised) expect(body.error.toLowerCase()).toContain(word);
      seen.add(code);
    },
  );

  it.each([
    [400, '12'],
    [409, '04'],
    [409, '05'],
    [502, '09'],
    [502, '14'],
  ])(
    'a refusal by the exchange with the status %i has an exchangeCode, and every repeat gets it (…666%s)',
    async (status, digits) => {
      const scene = await Scene.open(app, project);
      const wallet = await scene.magic('none');
      const id = await scene.magicQuote(wallet, `0.010666${digits}`);
      const [first, repeat] = [await execute(wallet, id), await execute(wallet, id)];
      const result = expect.objectContaining({ exchangeCode: expect.any(String) as string }) as object;
      expect([first.status, first.body.result]).toEqual([status, result]);
      expect([repeat.status, repeat.body.type, repeat.body.result]).toEqual([
        status,
        first.body.type,
        first.body.result,
      ]);
    },
  );

  it('has a test in this file', () => {
    expect([...seen].sort()).toEqual(Object.keys(errorCodes).filter(isWithdrawalCode).sort());
  });
});
