import { compileSerializer, type DocumentWithSchemas } from './response-serializer.js';

function documentOf(schema: object): DocumentWithSchemas {
  const content = { 'application/json': { schema } };
  const part = { type: 'object', properties: { a: { type: 'integer' } } };
  return {
    paths: { '/things/{id}': { get: { responses: { 200: { content } } } } },
    components: { schemas: { Part: part } },
  };
}

const serialize = (schema: object, value: unknown): string =>
  compileSerializer(documentOf(schema), '/things/:id', 'GET')(value);

describe('the serializer of a response', () => {
  const schema = {
    type: 'object',
    required: ['last'],
    properties: {
      optional: { type: ['string', 'null'] },
      part: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
      byName: { type: 'object', additionalProperties: { oneOf: [{ type: 'string' }, { type: 'boolean' }] } },
      rates: { type: ['object', 'null'], additionalProperties: { type: 'number' } },
      last: { type: 'number' },
    },
  };

  it.each([
    { optional: null, part: null, parts: [], byName: {}, last: 0 },
    {
      optional: '"\u2028\ud800é',
      part: { a: 1e21 },
      parts: [{ a: 1.5 }, {}],
      byName: { x: 'y', z: true },
      rates: { '"': 1e-7, b: 0 },
      last: 1,
    },
    { part: null, rates: null, last: -0 },
  ])('writes the same text as JSON.stringify for %j', (value) => {
    expect(serialize(schema, value)).toBe(JSON.stringify(value));
  });

  it('writes no undeclared member', () => {
    const value = { secret: 1, part: { a: 1, secret: 2 }, parts: [{ secret: 3 }], last: 2 };
    expect(serialize(schema, value)).toBe('{"part":{"a":1},"parts":[{}],"last":2}');
  });

  it.each([{}, { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Part' }] }, { type: ['object', 'string'] }])(
    'refuses the schema %j, which allows more than one form',
    (one) => {
      expect(() => serialize({ type: 'object', properties: { one } }, {})).toThrow(/no serializer for/);
    },
  );
});
