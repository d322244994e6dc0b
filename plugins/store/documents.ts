/** Documents as engines read and write them. */

/** The columns of a document. */
export type DocumentColumns = Readonly<Record<string, string | number>>

/** The JSON of a body, stored unchanged; bytes are UTF-8. */
export type Json = string | Uint8Array

export interface StoredRow {
  readonly scope: string
  readonly key: string
  readonly version: number
  readonly columns: DocumentColumns
}

/** Its bytes have memory of their own: readers cache them, and a view of a pool would hold all of that. */
const utf8 = new TextEncoder()

/**
 * A document whose body is parsed on first use: callers that only forward the text save the time.
 *
 * A class, because a getter in an object literal gives each object its own hidden class and halves the speed.
 * The body is not an own property: spreading a document omits it.
 */
export class StoredDocument implements StoredRow {
  readonly scope: string
  readonly key: string
  readonly version: number
  readonly columns: DocumentColumns
  readonly #json: Json
  #body: unknown

  constructor({ scope, key, version, columns }: StoredRow, json: unknown) {
    this.scope = scope
    this.key = key
    this.version = version
    this.columns = columns
    this.#json = json instanceof Uint8Array ? json : String(json)
  }

  get text(): string {
    return typeof this.#json === 'string' ? this.#json : Buffer.from(this.#json).toString()
  }

  get bytes(): Uint8Array {
    return typeof this.#json === 'string' ? utf8.encode(this.#json) : this.#json
  }

  get body(): unknown {
    return (this.#body ??= JSON.parse(this.text))
  }
}

export interface WrittenDocument {
  readonly json: Json
  readonly columns: DocumentColumns
}

/** A row as scope, key, version, and the columns of these names. */
export function toRow(names: readonly string[], row: readonly unknown[]): StoredRow {
  const columns: Record<string, string | number> = {}
  for (const [index, name] of names.entries()) {
    const value = row[index + 3]
    columns[name] = typeof value === 'number' ? value : String(value)
  }
  return { scope: String(row[0]), key: String(row[1]), version: Number(row[2]), columns }
}

/** A row like that of `toRow`, with the body after the columns. */
export const toDocument = (names: readonly string[], row: readonly unknown[]): StoredDocument =>
  new StoredDocument(toRow(names, row), row[names.length + 3])
