/** The names and texts that every engine can keep. */

export const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,47}$/
const ownColumns = ['scope', 'key', 'version', 'body', 'rowid', 'oid']

/**
 * Checks the names of a collection and its columns.
 *
 * Names consist of letters, digits and `_`, begin with a letter, have at most 48 characters and are
 * case-insensitive; the names of the store's own columns are reserved. An invalid declaration is a bug and
 * throws a TypeError.
 */
export function checkNames(collection: string, columns: readonly string[]): void {
  for (const name of [collection, ...columns]) {
    if (!namePattern.test(name) || /^sqlite_/i.test(name)) {
      throw new TypeError(
        `'${name}' cannot be the name of a collection or column: use 1 to 48 letters, digits and _, ` +
          'a letter first, not sqlite_.',
      )
    }
  }
  const seen = new Set(ownColumns)
  for (const column of columns) {
    if (seen.has(column.toLowerCase()))
      throw new TypeError(`Collection '${collection}' cannot have a column '${column}': the name is taken.`)
    seen.add(column.toLowerCase())
  }
}

/** Whether a text can be a scope, a key or a text column; others are refused with `text_not_storable`. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
