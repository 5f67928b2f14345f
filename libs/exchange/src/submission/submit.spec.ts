import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import type { PreparedWithdrawal, SubmitOutcome } from '../port/exchange.port.js';
import { createExchanges } from '../testing/create-exchanges.js';
import { ExchangeHarness } from '../testing/exchange-harness.js';
import { refusal, result } from '../testing/kraken-documentation.js';
import type { Behaviour } from '../testing/stub-exchange.js';

const prepared: PreparedWithdrawal = {
  request: { asset: 'XXBT', key: 'btc-wallet-1', amount: '0.725', address: 'bc1q', max_fee: '0.00015' },
  clientRef: null,
  submissionDeadline: null,
};

describe('the outcome of a submission', () => {
  let harness: ExchangeHarness;
  let sent: number;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400', EXCHANGE_SUBMIT_TIMEOUT_MS: '300' });
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    harness.stub.calls.length = 0;
    sent = 0;
  });

  async function submit(withdraw?: Behaviour): Promise<SubmitOutcome> {
    if (withdraw !== undefined) harness.stub.on('Withdraw', withdraw);
    const withdrawals = await harness.withdrawals();
    return withdrawals.submit(prepared, { beforeSend: () => void sent++ });
  }
  const withText =
    (status: number, text: string): Behaviour =>
    (_call, response) =>
      void response.writeHead(status).end(text);

  it('is accepted with the id of the exchange', async () => {
    const outcome = await submit(() => result({ refid: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg' }));
    expect(outcome).toMatchObject({ kind: 'accepted', exchangeId: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg' });
    expect(sent).toBe(1);
  });

  it.each([
    ['EFunding:Insufficient funds', 'WITHDRAWAL_INSUFFICIENT_BALANCE'],
    ['EFunding:Unknown withdraw key', 'WITHDRAWAL_INVALID_ADDRESS'],
    ['EFunding:Max fee exceeded', 'WITHDRAWAL_PROVIDER_ERROR'],
    ['EGeneral:Permission denied', 'WITHDRAWAL_PROVIDER_ERROR'],
    ['EAPI:Invalid signature', 'WALLET_INVALID_CREDENTIALS'],
    ['EBM:limit exceeded:CAL', 'WITHDRAWAL_KYC_REQUIRED'],
  ])('is rejected for the listed refusal %s, with %s', async (rawCode, code) => {
    expect(await submit(() => refusal(rawCode))).toMatchObject({ kind: 'rejected', code, rawCode });
    expect(sent).toBe(1);
  });

  it('is unknown for HTTP 429 without a code of the exchange, which proves nothing about the request', async () => {
    expect(await submit(withText(429, 'slow down'))).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown for a used nonce, because an earlier copy of the request may have been executed', async () => {
    const executed: Record<string, string>[] = [];
    // The nonce of the second copy is the last accepted one: https://docs.kraken.com/exchange/guides/general/errors
    const outcome = await submit(({ params }) => {
      executed.push(params);
      return refusal('EAPI:Invalid nonce');
    });
    expect(outcome).toMatchObject({ kind: 'unknown', reason: 'EAPI:Invalid nonce' });
    expect([sent, executed.length, harness.stub.callsOf('Withdraw').length]).toEqual([1, 1, 1]);
  });

  it('requires verification when the exchange asks for a code', async () => {
    expect(await submit(() => refusal('EAPI:OTP required'))).toMatchObject({
      kind: 'verification_required',
      code: 'WITHDRAWAL_2FA_REQUIRED_TOTP',
    });
  });

  const unknowns: [string, Behaviour][] = [
    ['an unlisted error', () => refusal('EFunding:Something new')],
    ['a listed refusal beside an unlisted error', () => refusal('EFunding:Insufficient funds', 'EFunding:New')],
    ['a limit of calls, which an earlier copy may have reached', () => refusal('EAPI:Rate limit exceeded')],
    ['a lockout, which an earlier copy may have caused', () => refusal('EGeneral:Temporary lockout')],
    ['a key that was good for the calls before', () => refusal('EAPI:Invalid key')],
    ['a fault of the service', () => refusal('EGeneral:Internal error')],
    ['a fault with a number', () => refusal('EGeneral:Internal error:4711')],
    ['a service that is busy', () => refusal('EService:Busy')],
    ['a deadline that elapsed', () => refusal('EService:Deadline elapsed')],
    ['success without a result', () => ({ error: [], result: null })],
    ['success without an id', () => result({})],
    ['success with an empty id', () => result({ refid: '' })],
    ['an id together with an error', () => ({ error: ['EAPI:Invalid nonce'], result: { refid: 'A' } })],
    ['an empty body', withText(200, '')],
    ['a page of HTML', withText(200, '<html>maintenance</html>')],
    ['half a response', withText(200, '{"error":[],"result":{"refid":"FTQ')],
    ['a bad gateway', withText(502, '<html>502</html>')],
    ['a gateway that timed out', withText(504, '')],
    ['a refusal in a 5xx', withText(503, JSON.stringify(refusal('EFunding:Insufficient funds')))],
    ['an id in a 5xx', withText(500, JSON.stringify(result({ refid: 'A' })))],
    ['a bare 403', withText(403, 'forbidden')],
    ['a bare 409', withText(409, '')],
    ['the 407 of a proxy', withText(407, '')],
    ['a redirect', (_call, response) => void response.writeHead(302, { location: harness.stub.url }).end()],
    ['a connection that is dropped', (_call, { socket }) => void socket?.destroy()],
    ['a connection that is reset', (_call, { socket }) => void socket?.resetAndDestroy()],
    [
      'a connection that is dropped in the middle of the response',
      (_call, response) => {
        response.writeHead(200, { 'content-length': 1_000 }).write('{"error":[]', () => response.socket?.destroy());
      },
    ],
    ['no response in time', () => undefined],
    [
      'a response that never ends',
      (_call, response) => {
        response.write('{"error":[],"result":{"refid":"A"}}');
      },
    ],
  ];
  it.each(unknowns)('is unknown for %s', async (_what, behaviour) => {
    expect(await submit(behaviour)).toMatchObject({ kind: 'unknown' });
    expect(sent).toBe(1);
    expect(harness.stub.callsOf('Withdraw')).toHaveLength(1);
  });

  it('is not_sent when `beforeSend` throws', async () => {
    harness.stub.on('Withdraw', () => result({ refid: 'A' }));
    const withdrawals = await harness.withdrawals();
    const outcome = await withdrawals.submit(prepared, {
      beforeSend: () => {
        throw new Error('too late');
      },
    });
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: expect.stringContaining('too late') as string });
    expect(harness.stub.callsOf('Withdraw')).toHaveLength(0);
  });

  it('is not_sent when our own limit is reached', async () => {
    const slow = await ExchangeHarness.start({
      EXCHANGE_CALLS_PER_SECOND: '1',
      EXCHANGE_CALLS_BURST: '1',
      EXCHANGE_TIMEOUT_MS: '100',
    });
    const withdrawals = await slow.withdrawals();
    await withdrawals.submit(prepared, { beforeSend: () => undefined });
    const outcome = await withdrawals.submit(prepared, { beforeSend: () => void sent++ });
    expect(outcome).toMatchObject({ kind: 'not_sent' });
    expect(sent).toBe(0);
    expect(slow.stub.callsOf('Withdraw')).toHaveLength(1);
    await slow.close();
  });

  it('comes from one request with exactly the prepared parameters, on its own connection', async () => {
    harness.stub.on('Withdraw', () => result({ refid: 'A' }));
    const session = await harness.open();
    await session.keyInfo();
    await session.withdrawals?.submit(prepared, {
      beforeSend: () => void sent++,
      proof: { codes: { twofa: new Secret('123456') } },
    });
    await session.keyInfo();
    const [before, withdraw, after] = harness.stub.calls;
    expect(withdraw?.params).toEqual({ ...prepared.request, otp: '123456', nonce: expect.any(String) as string });
    expect(withdraw?.connection).not.toBe(before?.connection);
    expect(after?.connection).toBe(before?.connection);
  });
});

describe('a submission that is not written', () => {
  let server: Server | null = null;
  const sockets: Socket[] = [];
  let sent: number;

  beforeEach(() => {
    sent = 0;
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
    server = null;
  });

  async function listen(): Promise<number> {
    const listening = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    return (listening.address() as AddressInfo).port;
  }

  async function submitTo(url: string): Promise<SubmitOutcome> {
    const exchanges = createExchanges(loadConfig({ EXCHANGE_KRAKEN_URL: url, EXCHANGE_TIMEOUT_MS: '300' }));
    const { withdrawals } = await exchanges.open({
      exchange: 'kraken',
      mode: 'live',
      credentialId: 'one',
      credentials: { apiKey: new Secret('key'), apiSecret: new Secret('c2VjcmV0') },
    });
    const outcome = await withdrawals?.submit(prepared, { beforeSend: () => void sent++ });
    await exchanges.onApplicationShutdown();
    if (outcome === undefined) throw new Error('no withdrawals');
    return outcome;
  }

  it('is not_sent when the connection is refused', async () => {
    const port = await listen();
    await new Promise((resolve) => server?.close(resolve));
    expect(await submitTo(`http://127.0.0.1:${port}`)).toEqual({ kind: 'not_sent', reason: 'ECONNREFUSED' });
    expect(sent).toBe(0);
  });

  it('is not_sent when the name does not resolve', async () => {
    expect(await submitTo('http://exchange.invalid')).toMatchObject({ kind: 'not_sent' });
    expect(sent).toBe(0);
  });

  it('is not_sent when the server does not speak TLS, or never ends the handshake', async () => {
    const port = await listen();
    expect(await submitTo(`https://127.0.0.1:${port}`)).toMatchObject({ kind: 'not_sent' });
    expect(sent).toBe(0);
  });

  it('is unknown when the exchange takes the request and never responds', async () => {
    const port = await listen();
    server?.on('connection', (socket) => socket.on('data', () => socket.destroy()));
    expect(await submitTo(`http://127.0.0.1:${port}`)).toMatchObject({ kind: 'unknown' });
    expect(sent).toBe(1);
  });
});
