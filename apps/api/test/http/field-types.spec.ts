import { getMetadataStorage, validateSync } from 'class-validator';
import '../../src/api.module.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Rules of class-validator about the length of a text. They also refuse every number. */
const LENGTHS = ['maxLength', 'minLength', 'isLength'];

describe('a text field with a limited length', () => {
  it('reports a number as a wrong type, and not as a text of a wrong length', () => {
    // The list of all classes with rules is private in class-validator.
    const classes = Reflect.get(getMetadataStorage(), 'validationMetadatas') as Map<new () => object, Metadata[]>;
    const messages: string[] = [];
    for (const [fields, rules] of classes) {
      const ofTexts = rules.filter(({ name, each }) => LENGTHS.includes(name ?? '') && !each);
      for (const name of new Set(ofTexts.map(({ propertyName }) => propertyName))) {
        const request = Object.assign(new fields(), { [name]: 1 });
        const errors = validateSync(request, { stopAtFirstError: true, whitelist: true });
        const [message] = Object.values(errors.find(({ property }) => property === name)?.constraints ?? {});
        messages.push(`${fields.name}: ${message}`);
      }
    }
    expect(messages.length).toBeGreaterThan(20);
    expect(messages.filter((message) => !message.endsWith(' must be a string'))).toEqual([]);
  });
});
