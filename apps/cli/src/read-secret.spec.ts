import { PassThrough } from 'node:stream';
import { secretReader, type AskSecret } from './read-secret.js';

const PEM = '-----BEGIN EC PRIVATE KEY-----\nAAAA\nBBBB\n-----END EC PRIVATE KEY-----';

/** A terminal that shows what the command writes, and what is typed while it is not in raw mode. */
class Terminal {
  shown = '';
  private isRaw = false;
  readonly input = Object.assign(new PassThrough(), {
    isTTY: true as const,
    setRawMode: (isRaw: boolean) => {
      this.isRaw = isRaw;
      return this.input;
    },
  });
  readonly output = new PassThrough();
  readonly ask: AskSecret;
  /** Called when the command asks for something. */
  onQuestion: () => void = () => undefined;

  constructor() {
    this.ask = secretReader(() => undefined, this as never);
    this.output.on('data', (text: Buffer) => {
      this.shown += text.toString();
      if (text.toString().endsWith(': ')) this.onQuestion();
    });
  }

  type(text: string): void {
    if (!this.isRaw) this.shown += text;
    this.input.write(text);
  }
}

describe('a secret that is typed in a terminal', () => {
  let terminal: Terminal;
  beforeEach(() => (terminal = new Terminal()));

  it('is not shown, also when it is typed at the moment of the question', async () => {
    terminal.onQuestion = () => terminal.type('secret\r');
    expect(await terminal.ask('CHECK_API_KEY', 'API key')).toBe('secret');
    expect(terminal.shown).toBe('API key (it is not shown): \n');
  });

  it('may be pasted together with the following ones', async () => {
    terminal.onQuestion = () => terminal.type('one\rtwo\rthree\r');
    const first = await terminal.ask('CHECK_API_KEY', 'API key');
    terminal.onQuestion = () => undefined;
    const second = await terminal.ask('CHECK_API_SECRET', 'secret');
    expect([first, second, await terminal.ask('CHECK_API_UID', 'id')]).toEqual(['one', 'two', 'three']);
    expect(terminal.shown).not.toMatch(/one|two|three/);
  });

  it('may be a private key of several lines', async () => {
    terminal.onQuestion = () => terminal.type(`${PEM.replaceAll('\n', '\r')}\r`);
    expect(await terminal.ask('CHECK_API_SECRET', 'secret of the key')).toBe(PEM);
  });

  it.each([
    ['Ctrl-C', '\u0003', 'stopped'],
    ['an empty line', '\r', 'no value for the API key'],
    ['Ctrl-D', '\u0004', 'no value for the API key'],
  ])('is not read after %s', async (_name, typed, problem) => {
    terminal.onQuestion = () => terminal.type(typed);
    await expect(terminal.ask('CHECK_API_KEY', 'API key')).rejects.toThrow(problem);
  });
});

describe('a secret that is not typed', () => {
  it('comes from the environment before anything else', async () => {
    const terminal = new Terminal();
    const ask = secretReader((name) => `value of ${name}`, terminal as never);
    expect(await ask('CHECK_API_KEY', 'API key')).toBe('value of CHECK_API_KEY');
    expect(terminal.shown).toBe('');
  });

  it('is a line of standard input, or a private key of several lines', async () => {
    const input = new PassThrough();
    const ask = secretReader(() => '', { input, output: new PassThrough() });
    input.end(`key\n${PEM}\nuid\n`);
    expect(await ask('CHECK_API_KEY', 'API key')).toBe('key');
    expect(await ask('CHECK_API_SECRET', 'secret of the key')).toBe(PEM);
    expect(await ask('CHECK_API_UID', 'user id')).toBe('uid');
    await expect(ask('CHECK_API_PASSPHRASE', 'passphrase')).rejects.toThrow(
      'no value for the passphrase: set CHECK_API_PASSPHRASE, or write it to standard input, one value a line',
    );
  });
});
