import { messageTypeOf } from './connect-view.js';

describe('messageTypeOf', () => {
  it('has a word for each way, and one for an attempt that never began', () => {
    expect((['oauth', 'qr', 'key', null] as const).map(messageTypeOf)).toEqual([
      'oauth2',
      'qr_code_auth',
      'connect',
      'connect',
    ]);
  });
});
