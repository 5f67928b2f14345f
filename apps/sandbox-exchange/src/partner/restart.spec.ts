import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';

describe('a restart with a ledger file', () => {
  let directory: string;
  let ledgerFile: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'sandbox-partner-'));
    ledgerFile = path.join(directory, 'ledger.jsonl');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** Runs `before`, restarts the exchange from its file, and runs `after`. */
  async function acrossRestart<T>(
    before: (sandbox: TestSandbox) => Promise<[PartnerClient, T]>,
    after: (client: PartnerClient, left: T) => Promise<void>,
  ): Promise<void> {
    const first = await TestSandbox.start({ ledgerFile });
    const [client, left] = await before(first);
    await first.close();
    const second = await TestSandbox.start({ ledgerFile });
    try {
      await after(new PartnerClient(second, client.account), left);
    } finally {
      await second.close();
    }
  }

  const everything = (client: PartnerClient) =>
    Promise.all([
      client.call('GET', '/account').then(({ body }) => body),
      client.call('GET', '/balances').then(({ body }) => body),
      client.list(),
      client.messages(),
    ]);

  it('keeps an open challenge that is half verified, and lets it be completed', () =>
    acrossRestart(
      async (sandbox) => {
        const client = await PartnerClient.open(sandbox, {
          verification: { mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL', 'FACE'] },
        });
        const { id } = await client.challenge();
        await client.verify(id, 'GOOGLE', client.totp());
        await client.verify(id, 'EMAIL', 'wrong');
        const { body } = await client.call('GET', `/challenges/${id}`);
        return [client, { id, body, all: await everything(client) }];
      },
      async (client, { id, body, all }) => {
        expect(await everything(client)).toEqual(all);
        expect((await client.call('GET', `/challenges/${id}`)).body).toEqual(body);
        expect(body).toMatchObject({
          challenge: { steps: [{ status: 'success' }, { status: 'failure' }, { status: 'pending' }] },
        });
        expect(await client.challenge()).toEqual(body.challenge);
        expect(await client.messages()).toHaveLength(1);
        await client.verify(id, 'EMAIL', await client.code('email'));
        await client.confirmFace();
        expect((await client.withdraw({ challengeId: id })).status).toBe(201);
      },
    ));

  it('keeps booked references, the address book and used codes', () =>
    acrossRestart(
      async (sandbox) => {
        const client = await PartnerClient.open(sandbox, {
          addressBookMax: 1,
          verification: { mode: 'inline', methods: ['GOOGLE'] },
        });
        const authenticator = client.totp();
        await client.withdraw({ amount: '0.0166620', codes: { authenticator } });
        return [client, { authenticator, all: await everything(client) }];
      },
      async (client, { authenticator, all }) => {
        expect(await everything(client)).toEqual(all);
        const repeat = { amount: '0.0166620' };
        expect((await client.withdraw(repeat)).body).toMatchObject({ duplicate: true });
        const codes = { authenticator };
        expect(await client.errorOf({ reference: 'two', codes })).toBe('verification_failed');
        const other = { reference: 'three', address: '16UMkmhauCp7rRo89SciYkppzcTdfxrEFR', codes };
        expect(await client.errorOf(other)).toBe('too_many_addresses');
        await client.withdraw({ reference: 'two' });
        expect(await client.booked()).toHaveLength(1);
      },
    ));

  it('keeps a challenge that wrong codes have locked, a revoked token, a confirmed face check and the account of a magic token', () =>
    acrossRestart(
      async (sandbox) => {
        const face = await PartnerClient.open(sandbox, { verification: { mode: 'inline', methods: ['FACE'] } });
        await face.confirmFace();
        const revoked = await PartnerClient.open(sandbox, { token: 'revoked' });
        await sandbox.control('POST', `partner/tokens/${revoked.account.token}/revoke`);
        const magic = face.as('sandbox_none_7');
        const { body } = await magic.call('GET', '/account');
        const guarded = await PartnerClient.open(sandbox, {
          token: 'guarded',
          verification: { mode: 'inline', methods: ['PASSPHRASE'] },
        });
        for (let index = 0; index < 10; index += 1) await guarded.withdraw({ codes: { authenticator: 'guess' } });
        return [face, body.id];
      },
      async (face, magicId) => {
        expect((await face.withdraw()).status).toBe(201);
        const as = async <T>(token: string) => (await face.call<T>('GET', '/account', undefined, token)).body;
        expect(await as('revoked')).toMatchObject({ error: { code: 'token_revoked' } });
        expect(await as('sandbox_none_7')).toMatchObject({ id: magicId });
        const locked = face.as('guarded');
        expect(await locked.errorOf({ codes: { authenticator: 'open sesame' } })).toBe('challenge_locked');
      },
    ));
});
