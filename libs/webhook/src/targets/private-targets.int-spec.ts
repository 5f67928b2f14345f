import { Receiver } from '../testing/receiver.js';
import { WebhookHarness } from '../testing/webhook-harness.js';

const REGISTERED = [
  ...['https://127.0.0.1/', 'https://127.1/', 'https://0x7f000001/', 'https://2130706433/', 'https://0/'],
  ...['https://10.0.0.1:8443/', 'https://169.254.169.254/latest/meta-data', 'https://[::1]/', 'https://[fd00::1]/'],
  ...['https://0.0.0.0/', 'https://0177.0.0.1/', 'https://127.0.0.1./', 'https://①②⑦.⓪.⓪.①/', 'https://[::]/'],
  ...['https://[::ffff:192.168.0.1]/', 'https://[::ffff:10.0.0.1]/', 'https://[::ffff:a9fe:a9fe]/'],
  ...['https://[64:ff9b::10.0.0.1]/', 'https://[64:ff9b::a9fe:a9fe]/', 'https://[2002:a00:1::]/', 'https://[fe80::1]/'],
  ...['https://168.63.129.16/', 'https://0xa83f8110/', 'https://192.80.8.124/', 'https://100.100.100.200/'],
  ...['https://localhost/', 'https://localhost./', 'https://name.invalid/'],
];

describe('without WEBHOOK_ALLOW_PRIVATE, a target', () => {
  let harness: WebhookHarness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await WebhookHarness.create({}, { WEBHOOK_ALLOW_PRIVATE: 'false' });
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await harness.close();
  });

  it.each(REGISTERED)('cannot be registered when it is not public: %s', async (url) => {
    await expect(harness.endpoint(url)).rejects.toThrow(/not public|no address of name.invalid was found/);
  });

  it('cannot be registered with http', async () => {
    await expect(harness.endpoint('http://93.184.215.14/')).rejects.toThrow('url must begin with https://');
  });

  it.each([
    ['a loopback address', (port: number) => `https://127.0.0.1:${port}/`],
    ['the address of every interface', (port: number) => `https://0.0.0.0:${port}/`],
    ['an IPv4 address within IPv6', (port: number) => `https://[::ffff:127.0.0.1]:${port}/`],
    ['an IPv4 address behind a gateway (NAT64)', (port: number) => `https://[64:ff9b::127.0.0.1]:${port}/`],
    ['a name whose address has become private', (port: number) => `https://localhost:${port}/`],
    ['http', (port: number) => `http://localhost:${port}/`],
  ])('gets no connection when it has replaced a public target: %s', async (_what, urlOf) => {
    await harness.reset();
    const { endpoint } = await harness.endpoint('https://93.184.215.14/');
    let connections = 0;
    const count = (): void => void connections++;
    receiver.onConnection(count);
    await harness.db.query(`update webhook_endpoints set url = $2 where id = $1`, [endpoint.id, urlOf(receiver.port)]);
    await harness.record();
    expect(await harness.work()).toBe(1);
    const { delivery, attempts } = await harness.log(endpoint.id);
    expect(attempts[0]?.error).toMatch(/not public|does not begin with https:/);
    expect(delivery.state).toBe('pending');
    expect(connections).toBe(0);
  });
});
