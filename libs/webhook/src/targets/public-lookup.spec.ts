import type { LookupAddress } from 'node:dns';
import { connect } from 'node:net';
import { isPublicAddress } from './address-rules.js';
import { publicLookup } from './public-lookup.js';
import { TargetRefused } from './target-refused.js';

const PRIVATE = [
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
  ...['255.255.255.255', '192.0.2.1', '198.18.0.1', '240.0.0.1', '::1', '::', 'fe80::1', 'fd00::1', 'ff02::1'],
  ...['::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:7f00:1::1'],
  ...['2001:db8::1', 'fec0::1', 'fe80::1%eth0', 'not an address'],
  // The deprecated form of an IPv4 address (RFC 4291, section 2.5.5.1), and ranges that IANA has not allocated.
  ...['::7f00:1', '::a9fe:a9fe', '4000::1', 'fe00::1'],
];
/** Addresses of metadata services of clouds. Some of them are in ranges of public addresses. */
const METADATA = [
  ...['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', '192.80.8.124'],
  ...['fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', '::ffff:168.63.129.16', '64:ff9b::a83f:8110'],
];

describe('isPublicAddress', () => {
  it.each([...PRIVATE, ...METADATA])('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(['8.8.8.8', '93.184.215.14', '168.63.129.17', '2606:4700:4700::1111'])('allows %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe('publicLookup', () => {
  const look = (answers: string[], all: boolean): Promise<unknown> => {
    const addresses = answers.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
    const lookup = publicLookup(() => Promise.resolve(addresses));
    return new Promise((resolve, reject) => {
      lookup('hooks.example.com', { all }, (error, found) => (error === null ? resolve(found) : reject(error)));
    });
  };

  it('returns public addresses in the form that the socket asks for', async () => {
    expect(await look(['8.8.8.8'], true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(await look(['8.8.8.8'], false)).toBe('8.8.8.8');
  });

  it.each([
    [['10.0.0.1']],
    [['0.0.0.0']],
    [['8.8.8.8', '127.0.0.1']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::a9fe:a9fe']],
    [['168.63.129.16']],
  ])('refuses a name with the addresses %j', async (answers) => {
    await expect(look(answers, true)).rejects.toThrow(TargetRefused);
    await expect(look(answers, false)).rejects.toThrow(TargetRefused);
  });

  it('gives a connection the address that it has checked, and checks the address of the next connection again', async () => {
    // The DNS server of an attacker returns a public address first, and then an address of this machine.
    const answers = ['8.8.8.8', '127.0.0.1'];
    let asked = 0;
    const lookup = publicLookup(() => Promise.resolve([{ address: answers[asked++] ?? '', family: 4 }]));
    const connectTo = (): Promise<unknown> =>
      new Promise((resolve) => {
        const socket = connect({ host: 'changes.example', port: 443, lookup, autoSelectFamily: false });
        socket.on('lookup', (error, address) => {
          // Ends the attempt before a packet is sent.
          socket.destroy();
          resolve(error ?? address);
        });
        socket.on('error', () => undefined);
      });
    expect(await connectTo()).toBe('8.8.8.8');
    expect(await connectTo()).toBeInstanceOf(TargetRefused);
    expect(asked).toBe(2);
  });

  it('occupies no thread of Node’s pool, so that a slow DNS server does not delay the look-ups of other hosts', async () => {
    const looked = new Promise((resolve) => {
      publicLookup()('name.invalid', { all: true }, (error) => resolve(error));
    });
    expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
    const message = expect.stringContaining('no address of name.invalid was found') as string;
    expect(await looked).toMatchObject({ message });
  });

  it('fails for a name that has no address', async () => {
    await expect(look([], true)).rejects.toThrow(/^no address of hooks.example.com was found$/);
  });

  it('fails with the cause when DNS does not answer in time', async () => {
    const timeOut = Object.assign(new Error('queryA ETIMEOUT name.example'), { code: 'ETIMEOUT' });
    const failure = new Promise((resolve) => {
      publicLookup(() => Promise.reject(timeOut))('name.example', { all: true }, (error) => resolve(error));
    });
    const message = 'no address of name.example was found: the look-up takes too long';
    expect(await failure).toMatchObject({ message });
  });
});
