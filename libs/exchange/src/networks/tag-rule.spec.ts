import { tagProblem } from './tag-rule.js';

describe('a tag', () => {
  it.each([
    ['stellar', 'memo', 'a'.repeat(28)],
    ['stellar', 'memo', '18446744073709551615'],
    ['stellar', 'memo', 'f'.repeat(64)],
    ['stellar', 'memo', 'é'.repeat(14)],
    ['hedera', 'memo', 'a'.repeat(100)],
    ['stacks', 'memo', 'a'.repeat(34)],
    ['cosmos', 'memo', 'a'.repeat(256)],
    ['ton', 'memo', '币安人生'],
    ['ripple', 'destinationTag', '4294967295'],
    ['ripple', 'destinationTag', '0'],
  ] as const)('on %s (%s) can be %j', (network, type, tag) => expect(tagProblem(network, type, tag)).toBeNull());

  it.each([
    ['stellar', 'memo', 'a'.repeat(29), '28 bytes'],
    ['stellar', 'memo', 'é'.repeat(15), '28 bytes'],
    ['stellar', 'memo', 'g'.repeat(64), '28 bytes'],
    ['hedera', 'memo', 'a'.repeat(101), '100 bytes'],
    ['stacks', 'memo', 'a'.repeat(35), '34 bytes'],
    ['injective', 'memo', 'a'.repeat(257), '256 bytes'],
    ['ton', 'memo', '币'.repeat(86), '256 bytes'],
    ['ripple', 'destinationTag', '4294967296', 'up to 4294967295'],
    ['ripple', 'destinationTag', '01', 'without leading zeros'],
    ['cosmos', null, '1', 'left out or null'],
  ] as const)('on %s (%s) cannot be %j', (network, type, tag, message) =>
    expect(tagProblem(network, type, tag)).toContain(message),
  );
});
