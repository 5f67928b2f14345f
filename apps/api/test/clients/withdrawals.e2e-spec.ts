import { TOTP } from 'otpauth';
import type { Causeway, Challenge, Codes } from '#client';
import { causewayOf } from '../support/causeway-client.js';
import { PartnerSandbox, type PartnerWallet, type Verification } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { btcQuote } from '../support/withdrawal-client.js';

const STEP_MS = 5_000;
const TOTP_STEP_MS = 30_000;
/** Polls every 20 ms, because each poll advances the test's clock by STEP_MS. */
const FAST = { pollMs: 20, followMs: 15_000, doubtMs: 15_000 };

describe('withdrawals.run of the client', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let partner: PartnerSandbox;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true });
    project = await app.project();
    partner = new PartnerSandbox(app, project);
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  /**
   * Returns a client that advances the clock with each poll of a transaction, and the bodies of its executions.
   * @param lose returns true for a request whose response the client must not receive
   */
  function client(walletId: string, lose: (url: string) => boolean = () => false) {
    const executions: string[] = [];
    const send = async (url: string, init?: RequestInit): Promise<Response> => {
      if (url.includes('/transaction/')) app.clock.advance(STEP_MS);
      if (url.endsWith('/execute')) executions.push(init?.body as string);
      const response = await fetch(url, init);
      if (lose(url)) throw new TypeError('the connection broke');
      return response;
    };
    return { causeway: causewayOf(app, project, { walletId, fetch: send as typeof fetch }), executions };
  }

  const authenticator = ({ account }: PartnerWallet): string => {
    // Each code is valid once, and the next code comes after 30 seconds.
    app.clock.advance(TOTP_STEP_MS);
    return new TOTP({ secret: account.totpSecret ?? '' }).generate({ timestamp: app.clock.now().getTime() });
  };

  async function quoted(causeway: Causeway, wallet: PartnerWallet) {
    const address = wallet.account.addresses['BTC']?.['bitcoin'] ?? '';
    return await causeway.createQuote({ asset: 'BTC', network: 'bitcoin', amount: '0.01', address });
  }

  async function runWith(
    verification: Verification,
    answer: (wallet: PartnerWallet, asked: Challenge) => Promise<Codes>,
  ) {
    const wallet = await partner.wallet(verification);
    const { causeway, executions } = client(wallet.walletId);
    const asked: Challenge[] = [];
    const result = await causeway.withdrawals.run(await quoted(causeway, wallet), {
      ...FAST,
      onChallenge: (challenge) => {
        asked.push(challenge);
        return answer(wallet, challenge);
      },
    });
    return { wallet, result, asked, executions, sent: await app.sandbox.withdrawals(wallet.account) };
  }

  it('pays a quote that needs no verification, and follows it to its end', async () => {
    const wallet = await app.wallet(project);
    const { causeway, executions } = client(wallet.walletId);
    const result = await causeway.withdrawals.run(await btcQuote(wallet), FAST);
    expect(result).toMatchObject({ status: 'ok', transaction: { amount: 0.01, currency: 'BTC' } });
    expect(executions).toHaveLength(1);
  });

  it('asks for the missing codes only, until two steps are verified', async () => {
    const codes = { wrong: false };
    const { result, asked, sent } = await runWith(
      { mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' },
      async (wallet, { steps }): Promise<Codes> => {
        if (!codes.wrong) {
          codes.wrong = true;
          return { twofa: '000000' };
        }
        const isOpen = (field: keyof Codes) => steps.some((step) => step.field === field);
        if (isOpen('twofa')) return { twofa: authenticator(wallet) };
        return { emailCode: await partner.code(wallet, 'email') };
      },
    );
    expect(result.status).toBe('ok');
    const questions = asked.map(({ steps }) => steps.map(({ type, wasWrong }) => [type, wasWrong]));
    expect(questions).toEqual([
      [
        ['GOOGLE', false],
        ['EMAIL', false],
      ],
      [
        ['GOOGLE', true],
        ['EMAIL', false],
      ],
      [['EMAIL', false]],
    ]);
    expect(asked[0]?.steps[1]?.metadata).toMatchObject({ emailSent: true });
    expect(sent).toHaveLength(1);
  });

  it('sends all codes together when the person has typed them together', async () => {
    const verification: Verification = { mode: 'all_at_once', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' };
    const { result, executions } = await runWith(verification, async (wallet) => ({
      twofa: authenticator(wallet),
      emailCode: await partner.code(wallet, 'email'),
    }));
    expect([result.status, executions.length]).toEqual(['ok', 2]);
  });

  it('asks for a single code again when it was wrong', async () => {
    let tries = 0;
    const verification: Verification = { mode: 'inline', methods: ['GOOGLE'], relation: 'AND' };
    const { result, asked } = await runWith(verification, async (wallet) => {
      tries += 1;
      return { twofa: tries === 1 ? '000000' : authenticator(wallet) };
    });
    expect(result.status).toBe('ok');
    expect(asked.map(({ steps }) => steps[0])).toMatchObject([
      { field: 'twofa', wasWrong: false },
      { field: 'twofa', wasWrong: true },
    ]);
  });

  it('asks once for a face check, and pays after the app of the exchange has confirmed it', async () => {
    const verification: Verification = { mode: 'step_by_step', methods: ['FACE'], relation: 'AND' };
    const { result, asked } = await runWith(verification, async (wallet) => {
      await partner.confirmFace(wallet);
      return {};
    });
    expect(result.status).toBe('ok');
    expect(asked.map(({ steps }) => steps)).toMatchObject([[{ type: 'FACE', field: null }]]);
  });

  it('returns `abandoned` and pays nothing when the person enters no code', async () => {
    const wallet = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    const { causeway } = client(wallet.walletId);
    const quote = await quoted(causeway, wallet);
    const result = await causeway.withdrawals.run(quote, { ...FAST, onChallenge: () => null });
    expect(result).toMatchObject({ status: 'abandoned', challenge: { relation: 'AND', quoteId: quote.id } });
    expect((await causeway.getWithdrawal({ quoteId: quote.id })).status).toBe('verification_required');
    expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
  });

  it('sends no second execution when the response is lost, and finds the withdrawal', async () => {
    const wallet = await app.wallet(project);
    const { causeway, executions } = client(wallet.walletId, (url) => url.endsWith('/execute'));
    const result = await causeway.withdrawals.run(await btcQuote(wallet), FAST);
    expect(result).toMatchObject({ status: 'ok' });
    expect(executions).toHaveLength(1);
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
  });

  it('reports an unknown outcome when neither a response nor a withdrawal is found in time', async () => {
    const wallet = await app.wallet(project);
    const quote = await btcQuote(wallet);
    let executions = 0;
    const send = (url: string, init?: RequestInit): Promise<Response> => {
      if (!url.endsWith('/execute')) return fetch(url, init);
      executions += 1;
      return Promise.reject(new TypeError('the connection broke'));
    };
    const causeway = causewayOf(app, project, { walletId: wallet.walletId, fetch: send as typeof fetch });
    const run = causeway.withdrawals.run(quote, { ...FAST, doubtMs: 100 });
    await expect(run).rejects.toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN', result: { quoteId: quote.id } });
    expect(executions).toBe(1);
    // A later run of the same quote cannot pay twice, and completes the withdrawal.
    const { causeway: later } = client(wallet.walletId);
    await expect(later.withdrawals.run(quote, FAST)).resolves.toMatchObject({ status: 'ok' });
  });

  it('throws the refusal of the service, with its code', async () => {
    const wallet = await app.wallet(project);
    const { causeway } = client(wallet.walletId);
    const quote = await btcQuote(wallet);
    app.clock.advance(600_000);
    await expect(causeway.withdrawals.run(quote, FAST)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED', status: 410 });
  });

  it('creates transactions that the client can list page by page', async () => {
    const wallet = await app.wallet(project);
    const { causeway } = client(wallet.walletId);
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const result = await causeway.withdrawals.run(await btcQuote(wallet), FAST);
      if (result.status === 'ok') made.unshift(result.transactionId);
    }
    const listed: string[] = [];
    const filter = { walletId: wallet.walletId, type: 'withdrawal' as const, limit: 2 };
    for await (const { id } of causeway.each('listTransactions', filter)) listed.push(id);
    expect(listed).toEqual(made);
    expect(made).toHaveLength(3);
  });
});
