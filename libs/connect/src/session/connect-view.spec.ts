import { messageTypeOf } from './connect-view.js';

describe('messageTypeOf', () => {
  it('exists for each connect method, and for a session without an attempt', () => {
    expect((['oauth', 'qr', 'key', null] as const).map(messageTypeOf)).toEqual([
      'oauth2',
      'qr_code_auth',
      'connect',
      'connect',
    ]);
  });
});
