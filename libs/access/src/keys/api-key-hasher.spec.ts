import { InvalidConfig, loadConfig } from '#platform/config';
import { ApiKeyHasher } from './api-key-hasher.js';

const under = (byte: number): ApiKeyHasher =>
  new ApiKeyHasher(loadConfig({ API_KEY_PEPPER: Buffer.alloc(32, byte).toString('base64') }));

describe('the keyed hash of API keys', () => {
  it('requires API_KEY_PEPPER, and names it in the error', () => {
    const create = (): ApiKeyHasher => new ApiKeyHasher(loadConfig({}));
    expect(create).toThrow(InvalidConfig);
    expect(create).toThrow(/API_KEY_PEPPER/);
  });

  it('is the same for the same key and pepper, and different for another key or another pepper', () => {
    const hash = under(1).hash('svc_test_a');
    expect(hash).toHaveLength(32);
    expect(under(1).hash('svc_test_a')).toEqual(hash);
    expect(under(1).hash('svc_test_b')).not.toEqual(hash);
    expect(under(2).hash('svc_test_a')).not.toEqual(hash);
  });
});
