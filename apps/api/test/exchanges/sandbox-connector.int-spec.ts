import { Amount } from '#money';
import { type Exchanges, type PreparedWithdrawal, type SubmitOutcome, type WithdrawalCapability } from '#exchange';
import { createExchanges } from '#exchange/testing';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { RunningClock } from '#platform/testing';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';
import { totpCode } from '../../../sandbox-exchange/src/totp.js';

interface Account {
  accountId: string;
  token: string;
  totpSecret: string | null;
  addresses: Record<string, Record<string, string>>;
}

interface Opened extends Account {
  withdrawals: WithdrawalCapability;
}

type Verification = { mode: string; methods: string[]; relation?: 'AND' | 'OR' };
type Codes = Partial<Record<'twofa' | 'emailCode' | 'smsCode', string>>;

/** The TOTP secret of every account that a magic token opens (docs/sandbox.md). */
const MAGIC_TOTP_SECRET = 'JBSWY3DPEHPK3PXP';
const TOTP_STEP_MS = 30_000;

/** The connector of the exchange `sandbox`, with a running sandbox exchange and its ledger. */
describe('the connector of the partner API at the sandbox exchange', () => {
  const clock = new RunningClock();
  let exchange: SandboxExchange;
  let exchanges: Exchanges;
  let opened = 0;

  beforeAll(async () => {
    exchange = await startSandboxExchange({ port: 0, now: () => clock.now() });
    const limits = { EXCHANGE_CALLS_PER_SECOND: '1000', EXCHANGE_CALLS_BURST: '1000' };
    const waits = { EXCHANGE_TIMEOUT_MS: '2000', EXCHANGE_SUBMIT_TIMEOUT_MS: '500' };
    exchanges = createExchanges(loadConfig({ SANDBOX_URL: exchange.url, ...limits, ...waits }), { clock });
  });
  afterAll(async () => {
    await exchanges.onApplicationShutdown();
    await exchange.close();
  });
  afterEach(() => control('DELETE', 'faults'));

  async function control<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const answer = await fetch(`${exchange.url}/control/${path}`, { method, ...init });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  const sessionOf = (token: string) =>
    exchanges.open({
      exchange: 'sandbox',
      mode: 'test',
      credentials: { apiKey: new Secret(token) },
      credentialId: `credential ${++opened}`,
    });

  async function withdrawalsOf(token: string): Promise<WithdrawalCapability> {
    const { withdrawals } = await sessionOf(token);
    if (withdrawals === undefined) throw new Error('no withdrawals');
    return withdrawals;
  }

  async function open(verification: Verification = { mode: 'none', methods: [] }): Promise<Opened> {
    const balances = { BTC: '5', XRP: '20000' };
    const account = await control<Account>('POST', 'partner/accounts', { balances, verification });
    return { ...account, withdrawals: await withdrawalsOf(account.token) };
  }

  const addressOf = ({ addresses }: Account, asset = 'BTC', network = 'bitcoin'): string =>
    addresses[asset]?.[network] ?? '';

  const prepare = (account: Opened, clientRef = 'quote-1'): Promise<PreparedWithdrawal> =>
    account.withdrawals.prepare({
      asset: 'BTC',
      network: 'bitcoin',
      address: addressOf(account),
      tag: null,
      amountNoFee: Amount.of('0.01'),
      fee: Amount.of('0.00015'),
      amountWithFee: Amount.of('0.01015'),
      clientRef,
    });

  const submit = (
    { withdrawals }: Opened,
    prepared: PreparedWithdrawal,
    challengeId?: string,
    codes: Codes = {},
  ): Promise<SubmitOutcome> => {
    const secrets = Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, new Secret(code)]));
    const proof = { ...(challengeId !== undefined && { challengeId }), codes: secrets };
    return withdrawals.submit(prepared, { beforeSend: () => undefined, proof });
  };

  const soughtOf = (prepared: PreparedWithdrawal, exchangeId: string | null = null) => ({
    asset: 'BTC',
    network: 'bitcoin',
    ...prepared,
    exchangeId,
    notBefore: new Date(0),
  });
  const seek = ({ withdrawals }: Opened, prepared: PreparedWithdrawal) => withdrawals.find(soughtOf(prepared));

  type Booked = Record<'refid' | 'status' | 'amount' | 'fee' | 'address', string> & { memo: string | null };
  const booked = async ({ accountId }: Account): Promise<Booked[]> =>
    (await control<{ withdrawals: Booked[] }>('GET', `accounts/${accountId}/ledger`)).withdrawals;

  const sentCode = async ({ accountId }: Account, kind: string): Promise<string> => {
    const { messages } = await control<{ messages: { kind: string; code: string }[] }>(
      'GET',
      `accounts/${accountId}/messages`,
    );
    return messages.find((message) => message.kind === kind)?.code ?? '';
  };
  /** Returns a new code each time: the exchange accepts each code once. */
  const nextTotp = ({ totpSecret }: Account): string => {
    clock.advance(TOTP_STEP_MS);
    return totpCode(totpSecret ?? '', clock.now());
  };

  describe('an account', () => {
    it('returns its balances and the permissions of its token', async () => {
      const session = await sessionOf((await open()).token);
      const texts = (await session.balances()).map(({ asset, free, used, total }) =>
        [asset, free, used, total].join(' '),
      );
      expect(texts).toEqual(expect.arrayContaining(['BTC 5 0 5', 'XRP 20000 0 20000']));
      expect(await session.keyInfo()).toMatchObject({
        permissions: ['read', 'withdraw'],
        ipAllowlist: [],
        validUntil: null,
        createdTime: expect.any(Number) as number,
      });
    });

    it.each([
      ['nobody-knows-it', 'credentials_invalid'],
      ['sandbox_revoked', 'credentials_invalid'],
      ['sandbox_expired', 'credentials_invalid'],
    ])('with the token %s is refused as %s', async (token, kind) => {
      await expect((await sessionOf(token)).keyInfo()).rejects.toMatchObject({ kind });
    });

    it('offers every network of the exchange under our id, except the five that Causeway does not support', async () => {
      const { withdrawals } = await open();
      const networks = await withdrawals.networks();
      const headers = { authorization: 'Bearer sandbox_none' };
      const listed: unknown = await (await fetch(`${exchange.url}/partner/v1/networks`, { headers })).json();
      const { networks: all } = listed as { networks: { asset: string; network: string }[] };
      const offered = new Set(networks.map(({ asset, exchangeNetworkId }) => `${asset} ${exchangeNetworkId}`));
      const left = all.map(({ asset, network }) => `${asset} ${network}`).filter((name) => !offered.has(name));
      expect(offered.size + left.length).toBe(all.length);
      expect(left.sort()).toEqual([
        'BTC ethereum-kbtc',
        'ETH polygon', // a wrapped coin
        'USDC optimism-usdc-e',
        'USDC polygon-usdc-e',
        'USDT sei-evm',
      ]);
      const names = networks.flatMap(({ id, exchangeNetworkId: own }) => (id === own ? [] : [`${own}=${id}`]));
      expect([...new Set(names)].sort().join(' ')).toBe(
        'arbitrum-one=arbitrum avalanche-c-chain=avalanche bitcoin-cash=bitcoincash bnb-smart-chain=bsc ethereum-classic=ethereumclassic the-open-network=ton zksync-era=zksync',
      );
    });
  });

  describe('an estimate', () => {
    it.each([
      [false, '0.01', ['0.01', '0.00015', '0.01015']],
      [true, '0.01', ['0.00985', '0.00015', '0.01']],
    ])(
      'has the amounts, the fee and the required steps; fee included: %s, amount: %s',
      async (includeFee, text, expected) => {
        const account = await open({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'] });
        const [network] = await account.withdrawals.networks('BTC');
        if (network === undefined) throw new Error('no network');
        const quoted = { asset: 'BTC', network, address: addressOf(account), tag: null, amount: Amount.of(text) };
        const estimate = await account.withdrawals.estimate({ ...quoted, includeFee });
        expect([estimate.amountNoFee, estimate.fee, estimate.amountWithFee].map(String)).toEqual(expected);
        expect(estimate.requirements.map(({ type }) => type)).toEqual(['totp', 'email']);
        expect(estimate.minWithdrawal).toEqual(Amount.of('0.00055'));
      },
    );

    it.each([
      ['kyc', 'WITHDRAWAL_KYC_REQUIRED', undefined],
      ['unverified_email', 'WITHDRAWAL_EMAIL_UNVERIFIED', undefined],
      ['hold', undefined, 'security_hold'],
    ])('of a magic account %s is refused with the reason of that account', async (scenario, code, reason) => {
      const withdrawals = await withdrawalsOf(`sandbox_${scenario}_estimate`);
      const [network] = await withdrawals.networks('BTC');
      if (network === undefined) throw new Error('no network');
      const quoted = { asset: 'BTC', network, address: addressOf(await open()), tag: null, amount: Amount.of('0.01') };
      const refused = withdrawals.estimate({ ...quoted, includeFee: false });
      await expect(refused).rejects.toMatchObject({ kind: 'refused', code, reason });
    });
  });

  describe('a submission', () => {
    it('sends the prepared withdrawal once; the history then contains it with our reference and the exchange’s id', async () => {
      const account = await open();
      const prepared = await prepare(account);
      const first = await submit(account, prepared);
      if (first.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(first)}`);
      expect(await booked(account)).toMatchObject([{ refid: first.exchangeId, amount: '0.01', fee: '0.00015' }]);
      expect(await seek(account, prepared)).toMatchObject([{ exchangeId: first.exchangeId, isCertain: true }]);
      clock.advance(10_000);
      const sought = soughtOf(prepared, first.exchangeId);
      expect(await account.withdrawals.find(sought)).toMatchObject([{ status: 'completed', isCertain: true }]);
    });

    it('sends the tag with the address', async () => {
      const account = await open();
      const instruction = { asset: 'XRP', network: 'ripple', address: addressOf(account, 'XRP', 'ripple'), tag: '7' };
      const amounts = { amountNoFee: Amount.of('25'), fee: Amount.of('0.2'), amountWithFee: Amount.of('25.2') };
      const prepared = await account.withdrawals.prepare({ ...instruction, ...amounts, clientRef: 'quote-1' });
      expect((await submit(account, prepared)).kind).toBe('accepted');
      expect(await booked(account)).toMatchObject([{ address: instruction.address, memo: '7' }]);
      expect(await seek(account, prepared)).toMatchObject([{ isCertain: true }]);
    });

    it('books only one withdrawal when it is repeated, and returns the same id each time', async () => {
      const account = await open();
      const prepared = await prepare(account);
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => submit(account, prepared)));
      expect(new Set(outcomes.map((outcome) => (outcome.kind === 'accepted' ? outcome.exchangeId : '?'))).size).toBe(1);
      expect(await booked(account)).toHaveLength(1);
    });

    it('has an unknown outcome when another request has used its reference, and the history shows the booked withdrawal', async () => {
      const account = await open();
      const earlier = await prepare(account);
      await submit(account, earlier);
      clock.advance(1);
      const again = await prepare(account);
      expect(await submit(account, again)).toMatchObject({ kind: 'unknown', reason: 'reference_conflict' });
      expect(await seek(account, again)).toMatchObject([{ isCertain: true }]);
      expect(await booked(account)).toHaveLength(1);
    });

    it.each(['answer_lost', 'error_after', 'malformed_after', 'empty_after', 'result_null_after', 'hang_after'])(
      'is found by its reference when the response is lost (%s)',
      async (fault) => {
        const account = await open();
        const prepared = await prepare(account);
        await control('POST', 'faults', { endpoint: 'partner.withdraw', fault, apiKey: account.token });
        expect((await submit(account, prepared)).kind).toBe('unknown');
        const [only] = await booked(account);
        expect(await seek(account, prepared)).toMatchObject([{ exchangeId: only?.refid, isCertain: true }]);
      },
    );

    it.each(['request_lost', 'error_before', 'malformed_before', 'http_429', 'service_unavailable'])(
      'is not in the history when it was not booked (%s), and is not booked after its deadline',
      async (fault) => {
        const account = await open();
        const prepared = await prepare(account);
        await control('POST', 'faults', { endpoint: 'partner.withdraw', fault, apiKey: account.token });
        expect((await submit(account, prepared)).kind).toBe('unknown');
        expect(await seek(account, prepared)).toEqual([]);
        clock.advance((prepared.submissionDeadline?.getTime() ?? 0) - clock.now().getTime() + 1);
        expect(await submit(account, prepared)).toMatchObject({ kind: 'unknown', reason: 'request_expired' });
        expect(await booked(account)).toEqual([]);
      },
    );

    it('is listed for a given start time only when it was made after that time', async () => {
      const account = await open();
      await submit(account, await prepare(account, 'long ago'));
      clock.advance(60_000);
      const since = clock.now();
      await submit(account, await prepare(account, 'quote-2'));
      await submit(account, await prepare(account, 'quote-3'));
      const { records: listed } = await account.withdrawals.list(since);
      expect(listed.map(({ clientRef }) => clientRef)).toEqual(['quote-3', 'quote-2']);
      expect(listed[0]).toMatchObject({ asset: 'BTC', address: addressOf(account), amountNoFee: Amount.of('0.01') });
    });

    it('is refused for a token with read permission only', async () => {
      const account = { ...(await open()), withdrawals: await withdrawalsOf('sandbox_read_only_submit') };
      expect(await submit(account, await prepare(account))).toMatchObject({
        kind: 'rejected',
        code: 'WITHDRAWAL_PROVIDER_ERROR',
        reason: 'permission_missing',
      });
    });
  });

  describe('a challenge', () => {
    const steps = (outcome: { steps: { type: string; status: string }[] } | null | undefined) =>
      outcome?.steps.map(({ type, status }) => `${type} ${status}`);

    it('in the mode step_by_step accepts each code in a separate call, and then the withdrawal', async () => {
      const account = await open({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'] });
      const { verification } = account.withdrawals;
      const prepared = await prepare(account);
      const challenge = await verification?.open(prepared);
      if (challenge == null || verification === undefined) throw new Error('no challenge');
      expect(challenge).toMatchObject({ mode: 'step_by_step', relation: 'AND' });
      expect((await verification.open(await prepare(account)))?.id).toBe(challenge.id);
      expect(await submit(account, prepared, challenge.id)).toMatchObject({
        kind: 'verification_required',
        code: 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
        challenge: { id: challenge.id },
      });
      const wrong = await verification.verify(challenge.id, 'GOOGLE', new Secret('000000'));
      expect(steps(wrong)).toEqual(['GOOGLE failure', 'EMAIL pending']);
      await verification.verify(challenge.id, 'GOOGLE', new Secret(nextTotp(account)));
      await verification.verify(challenge.id, 'EMAIL', new Secret(await sentCode(account, 'email')));
      expect(steps(await verification.read(challenge.id))).toEqual(['GOOGLE success', 'EMAIL success']);
      expect((await submit(account, await prepare(account), challenge.id)).kind).toBe('accepted');
      expect(await booked(account)).toHaveLength(1);
    });

    it('in the mode all_at_once accepts the codes with the withdrawal, and keeps the correct codes', async () => {
      const account = await open({ mode: 'all_at_once', methods: ['GOOGLE', 'EMAIL'] });
      const prepared = await prepare(account);
      const challenge = await account.withdrawals.verification?.open(prepared);
      const id = challenge?.id;
      expect(challenge?.mode).toBe('all_at_once');
      const half = await submit(account, prepared, id, { twofa: nextTotp(account), emailCode: 'wrong' });
      if (half.kind !== 'verification_required') throw new Error(`not refused: ${JSON.stringify(half)}`);
      expect(half.rawCode).toBe('verification_failed');
      expect(steps(half.challenge)).toEqual(['GOOGLE success', 'EMAIL failure']);
      const whole = await submit(account, await prepare(account), id, { emailCode: await sentCode(account, 'email') });
      expect(whole.kind).toBe('accepted');
    });

    it('with the relation OR needs only one of its steps', async () => {
      const account = await open({ mode: 'step_by_step', methods: ['GOOGLE', 'SMS'], relation: 'OR' });
      const { verification } = account.withdrawals;
      const challenge = await verification?.open(await prepare(account));
      expect(challenge).toMatchObject({ relation: 'OR', steps: [{ required: false }, { required: false }] });
      await verification?.verify(challenge?.id ?? '', 'SMS', new Secret(await sentCode(account, 'sms')));
      expect((await submit(account, await prepare(account), challenge?.id)).kind).toBe('accepted');
    });

    it('is locked after ten wrong codes, and expires', async () => {
      const account = await open({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'] });
      const { verification } = account.withdrawals;
      const challenge = await verification?.open(await prepare(account));
      const id = challenge?.id ?? '';
      for (let tries = 0; tries < 10; tries++) await verification?.verify(id, 'GOOGLE', new Secret('000000'));
      await expect(verification?.verify(id, 'GOOGLE', new Secret('000000'))).rejects.toMatchObject({
        code: 'WITHDRAWAL_2FA_INVALID',
        reason: 'challenge_locked',
      });
      expect(await submit(account, await prepare(account), id)).toMatchObject({ code: 'WITHDRAWAL_2FA_INVALID' });
      clock.advance(601_000);
      expect(await verification?.read(id)).toBeNull();
      expect(await submit(account, await prepare(account), id)).toMatchObject({ kind: 'verification_required' });
      expect((await verification?.open(await prepare(account)))?.id).not.toBe(id);
    });

    it('is valid for one withdrawal only, and accepts codes only for its own steps', async () => {
      const account = await open({ mode: 'step_by_step', methods: ['EMAIL'] });
      const { verification } = account.withdrawals;
      const challenge = await verification?.open(await prepare(account));
      const id = challenge?.id ?? '';
      await expect(verification?.verify(id, 'SMS', new Secret('1'))).rejects.toMatchObject({
        code: 'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED',
      });
      await verification?.verify(id, 'EMAIL', new Secret(await sentCode(account, 'email')));
      expect(await submit(account, await prepare(account, 'quote-2'), id)).toMatchObject({
        kind: 'rejected',
        reason: 'challenge_mismatch',
      });
      expect(await booked(account)).toEqual([]);
    });
  });

  it.each([
    ['none', null, {}],
    ['totp', 'WITHDRAWAL_2FA_REQUIRED_TOTP', () => ({ twofa: totpCode(MAGIC_TOTP_SECRET, clock.now()) })],
    ['yubikey', 'WITHDRAWAL_2FA_REQUIRED_YUBIKEY', () => ({ twofa: `cccccc${'b'.repeat(38)}` })],
    ['passphrase', 'WITHDRAWAL_2FA_REQUIRED_PASSPHRASE', () => ({ twofa: 'open sesame' })],
    ['email', 'WITHDRAWAL_2FA_REQUIRED_EMAIL', null],
    ['sms', 'WITHDRAWAL_2FA_REQUIRED_SMS', null],
    ['face', 'WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION', null],
  ] as const)('a first submission of a magic account %s gets %s (null = accepted)', async (scenario, code, codes) => {
    const { addresses, accountId, totpSecret } = await open();
    const token = `sandbox_${scenario}_inline`;
    const account: Opened = { addresses, accountId, totpSecret, token, withdrawals: await withdrawalsOf(token) };
    const prepared = await prepare(account);
    expect(await account.withdrawals.verification?.open(prepared)).toBeNull();
    const first = await submit(account, prepared);
    if (code === null) return expect(first.kind).toBe('accepted');
    expect(first).toMatchObject({ kind: 'verification_required', code, rawCode: 'verification_required' });
    if (codes === null) return;
    const wrong = await submit(account, prepared, undefined, { twofa: '000000' });
    expect(wrong).toMatchObject({ kind: 'verification_required', code, rawCode: 'verification_failed' });
    expect((await submit(account, prepared, undefined, codes())).kind).toBe('accepted');
  });
});
