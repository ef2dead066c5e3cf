type Schema = Readonly<Record<string, unknown>>;

/** A reference, written before it is known whether the schema's other uses have its description. */
interface Use {
  readonly reference: Record<string, unknown>;
  readonly description: string | undefined;
}

interface Named {
  readonly content: Schema;
  readonly text: string;
  readonly uses: Use[];
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Writes schemas for the document. A schema with a title becomes a component of that name, and each
 * of its uses a reference, with its own description where the uses differ in it.
 */
export class NamedSchemas {
  readonly #named = new Map<string, Named>();

  /** @throws Error if a title has already named another schema */
  write(schema: object): Schema {
    const { title, ...rest } = schema as Schema;
    if (typeof title !== 'string') return this.#writeKeywords(rest);

    const { description, ...content } = this.#writeKeywords(rest);
    const text = JSON.stringify(content);
    const known = this.#named.get(title) ?? { content, text, uses: [] };
    if (known.text !== text) throw new Error(`two schemas have the title ${title}`);
    this.#named.set(title, known);

    const reference = { $ref: `#/components/schemas/${title}` };
    known.uses.push({ reference, description: description as string | undefined });
    return reference;
  }

  /** The components, sorted by name. Completes the references, so it is called once, at the end. */
  components(): Schema {
    const names = [...this.#named.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, this.#finish(name)]));
  }

  #finish(name: string): Schema {
    const { content, uses } = this.#named.get(name) as Named;
    const [description, ...others] = new Set(uses.map((use) => use.description));
    if (others.length === 0) return { ...(description && { description }), ...content };
    for (const use of uses)
      if (use.description !== undefined) use.reference['description'] = use.description;
    return content;
  }

  #writeKeywords(schema: Schema): Schema {
    const entries = Object.entries(schema).map(([keyword, value]) => [
      keyword,
      this.#writeKeyword(keyword, value),
    ]);
    return simplify(Object.fromEntries(entries));
  }

  #writeKeyword(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'properties':
      case 'patternProperties':
        return Object.fromEntries(
          Object.entries(value as Schema).map(([name, each]) => [name, this.write(each as object)]),
        );
      case 'anyOf':
      case 'allOf':
        return (value as readonly object[]).map((each) => this.write(each));
      case 'items':
      case 'additionalProperties':
      case 'contentSchema':
        return isSchema(value) ? this.write(value) : value;
      default:
        return value;
    }
  }
}

/** A text with a value on each line, as NDJSON. The schema is that of a line. */
export const linesOf = (line: Schema): Schema => ({
  type: 'string',
  contentMediaType: 'application/x-ndjson',
  contentSchema: line,
});

/** Writes the same schema in the shorter form that most tools know best. */
const simplify = (schema: Schema): Schema => {
  const { anyOf, patternProperties, ...rest } = schema;
  const every = isSchema(patternProperties) ? patternProperties['^.*$'] : undefined;
  if (every !== undefined) return { ...rest, additionalProperties: every };
  if (Array.isArray(schema['enum']) && schema['type'] === undefined)
    return { type: 'string', ...schema };
  const [first, second, third] = (anyOf ?? []) as readonly Schema[];
  const isNullable = second?.['type'] === 'null' && Object.keys(second).length === 1;
  return third === undefined && isNullable && typeof first?.['type'] === 'string' && !first['enum']
    ? { ...first, ...rest, type: [first['type'], 'null'] }
    : schema;
};
