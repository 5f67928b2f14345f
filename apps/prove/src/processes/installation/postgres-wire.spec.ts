import { FrontendMessages } from './postgres-wire.js';

/** A message as https://www.postgresql.org/docs/18/protocol-message-formats.html describes it. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
const text = (...parts: string[]): Buffer => Buffer.from(parts.map((part) => `${part}\0`).join(''));
const startup = message('', Buffer.concat([Buffer.from([0, 3, 0, 0]), text('user', 'prove', '')]));
const query = (sql: string): Buffer => message('Q', text(sql));
const parse = (sql: string, name = ''): Buffer => message('P', Buffer.concat([text(name, sql), Buffer.from([0, 0])]));
const bind = (name = ''): Buffer => message('B', Buffer.concat([text('', name), Buffer.from([0, 0, 0, 0, 0, 0])]));
const sync = message('S', Buffer.alloc(0));

const session = Buffer.concat([
  startup,
  message('p', text('a password')),
  query('START TRANSACTION'),
  parse('insert into t values ($1)'),
  bind(),
  message('E', text('COMMIT')),
  sync,
  parse('update t set n = $1', 'named'),
  bind('named'),
  sync,
  bind('named'),
  sync,
  query('COMMIT'),
]);
const statements = [
  'START TRANSACTION',
  'insert into t values ($1)',
  'update t set n = $1',
  'update t set n = $1',
  'COMMIT',
];

describe('the bytes that a client writes to PostgreSQL', () => {
  it('are read as statements, without the messages that contain no statement', () => {
    expect(new FrontendMessages().read(session)).toEqual(statements);
  });

  it('are read as the same statements when they arrive in pieces of any size', () => {
    for (let size = 1; size < 20; size++) {
      const messages = new FrontendMessages();
      const read: string[] = [];
      for (let at = 0; at < session.length; at += size) read.push(...messages.read(session.subarray(at, at + size)));
      expect(read).toEqual(statements);
    }
  });
});
