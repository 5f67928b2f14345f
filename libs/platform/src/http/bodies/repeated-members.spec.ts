import { assert, dictionary, jsonValue, property, string } from 'fast-check';
import { refuseRepeatedMembers } from './repeated-members.js';

describe('refuseRepeatedMembers', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"a" :1,\n"a"\t: 2}',
    '[{"b":[{"a":{},"a":[]}]}]',
    '{"a":{"b":1},"c":[],"a":2}',
    '{"":0,"":0}',
    '{"\\"":0,"\\"":0}',
  ])('finds the repeated member in %s', (text) => expect(refuseRepeatedMembers(text)).toBeDefined());

  it.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"{\\"a\\":1}","c":["a","a",{"a":1}]}',
    '{"a":"\\\\","b":"\\\\\\":"}',
    '"a"',
    '{}',
  ])('finds no repeated member in %s', (text) => expect(refuseRepeatedMembers(text)).toBeUndefined());

  it('finds a repeated member in any object, and none in the text of a serialized object', () => {
    assert(
      property(dictionary(string(), jsonValue(), { minKeys: 1 }), jsonValue(), (object, value) => {
        const text = JSON.stringify(object);
        expect(refuseRepeatedMembers(text)).toBeUndefined();
        const [name] = Object.keys(object);
        const twice = `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
        expect(refuseRepeatedMembers(twice)).toBeDefined();
      }),
    );
  });
});
