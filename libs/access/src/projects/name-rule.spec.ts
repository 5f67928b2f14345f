import { ValidationFailed } from '#platform/errors';
import { requireName } from './name-rule.js';

describe('the name of an organization, a project or a key', () => {
  it('has 1 to 200 printable characters', () => {
    for (const name of ['a', 'Ünïcödé 中文', '😀'.repeat(200)]) expect(() => requireName(name)).not.toThrow();
    for (const name of ['', 'a'.repeat(201), 'a\u0000', 'line\nbreak', '\u001b[31m']) {
      expect(() => requireName(name)).toThrow(ValidationFailed);
    }
  });
});
