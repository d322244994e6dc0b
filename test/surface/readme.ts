const marked = /<!-- table:([\w-]+) -->\n[\s\S]*?<!-- \/table -->/g

/** The names of the marked tables in a text. */
export const tablesIn = (text: string): readonly string[] =>
  [...text.matchAll(marked)].map(([, name = '']) => name)

/** Replaces every marked table in a text. Throws on an unknown table. */
export async function withTables(
  text: string,
  tables: Readonly<Record<string, () => string | Promise<string>>>,
): Promise<string> {
  const written = new Map<string, string>()
  for (const name of tablesIn(text)) {
    const table = tables[name]
    if (!table)
      throw new Error(
        `there is no table '${name}' for this file; there are ${Object.keys(tables).join(', ')}`,
      )
    written.set(name, await table())
  }
  return text.replaceAll(
    marked,
    (_, name: string) => `<!-- table:${name} -->\n\n${written.get(name)}\n\n<!-- /table -->`,
  )
}
