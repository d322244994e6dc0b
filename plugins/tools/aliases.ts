const longest = 64

/** Names of tools as models can write them, each to the name in the service: letters, digits, `_` and `-`, at most 64, no two alike. */
export function createAliases(names: readonly string[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>()
  for (const name of names) {
    const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^(?=\d)/, 'tool_').slice(0, longest)
    let alias = plain
    for (let n = 2; aliases.has(alias); n += 1) alias = `${plain.slice(0, longest - String(n).length - 1)}_${n}`
    aliases.set(alias, name)
  }
  return aliases
}
